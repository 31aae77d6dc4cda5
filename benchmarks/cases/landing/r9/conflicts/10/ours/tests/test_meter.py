import pytest

from brewery.meter import FlowMeter
from brewery.panel import gauge


@pytest.fixture
def meter():
    return FlowMeter(450, lambda: 90)


def test_gauge(meter):
    assert gauge("mash", meter) == "mash    12.0 l/min"


def test_flow(meter):
    assert meter.flow() == pytest.approx(0.2)


def test_standing_still():
    assert FlowMeter(450, lambda: 0).flow() == 0
