from gauge import Gauge
from trend import Trend


def test_rises():
    gauge = Gauge()
    first = gauge.sample()
    second = gauge.sample()
    assert Trend().step(previous=first["value"], value=second["value"]) == {"rising": True}
