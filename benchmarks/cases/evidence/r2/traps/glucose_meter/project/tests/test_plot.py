import pytest

from chart import DiabetesChart, Point
from meter import Meter


@pytest.fixture
def point():
    return Point(mmol=Meter().read()["glucose"])


def test_zone(point):
    assert DiabetesChart().plot(**point.model_dump()) == {"zone": "fine"}
