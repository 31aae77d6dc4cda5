from net.probe import Probe
from net.watchdog import Watchdog


def test_fast_host_is_alive():
    pong = Probe().ping("a")
    assert Watchdog().judge(host="a", elapsed=pong["elapsed_ms"] / 1000)["alive"]


def test_slow_host_is_dead():
    assert not Watchdog().judge(host="a", elapsed=9.5)["alive"]
