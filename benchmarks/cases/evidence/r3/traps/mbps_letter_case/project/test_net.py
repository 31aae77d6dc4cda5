from planner import Planner
from probe import Probe


def test_line():
    assert Probe().measure(80_000_000, 1.0) == {"rate_Mbps": 80.0}


def test_eta():
    assert Planner().eta(rate_MBps=10.0)["seconds"] == 70.0
