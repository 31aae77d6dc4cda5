from watch.nodes import Alarm, Host


def test_quiet():
    probed = Host().probe("web")
    assert Alarm().judge(load=probed["cpu_percent"], disk=probed["disk"]) == {"alarms": []}
