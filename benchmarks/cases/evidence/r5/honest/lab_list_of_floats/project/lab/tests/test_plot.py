from lab.plot import Plot
from lab.probe import Probe


def test_scale():
    sample = Probe().sample(4)
    assert Plot().scale(readings=sample["readings"])["heights"] == [0.25, 0.5, 0.75, 1.0]
