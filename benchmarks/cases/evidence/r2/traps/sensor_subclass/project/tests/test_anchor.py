from boat.anchor import Anchor
from boat.probe import DepthProbe


class MetricProbe(DepthProbe):
    def sound(self):
        return {"depth": 10.0}


def test_four_times():
    assert Anchor().pay_out(metres=MetricProbe().sound()["depth"]) == {"chain": 40.0}
