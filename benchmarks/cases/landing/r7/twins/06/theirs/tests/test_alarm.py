import pytest

from river.alarm import stage
from river.gauge import Gauge


@pytest.mark.parametrize("metres, expected", [(0.8, "falling"), (2.1, "steady"), (4.0, "rising")])
def test_stages(metres, expected):
    before = Gauge("Mill weir", lambda: 2.0 * 9.81).level()
    assert stage(Gauge("Mill weir", lambda: metres * 9.81), before) == expected
