import pytest

from river.alarm import stage
from river.gauge import Gauge


@pytest.mark.parametrize("metres, expected", [(0.8, "normal"), (2.6, "watch"), (4.0, "flood")])
def test_stages(metres, expected):
    assert stage(Gauge("Mill weir", lambda: metres * 9.81)) == expected
