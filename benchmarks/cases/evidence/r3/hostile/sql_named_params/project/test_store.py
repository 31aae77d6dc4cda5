import pytest

from power.meter import Meter
from power.store import Store


@pytest.fixture
def store():
    store = Store()
    for line in ("m1 3.5", "m2 9", "m1 0.5"):
        reading = Meter().read(line)
        store.insert({"meter_id": reading["meter"], "kwh": reading["kwh"]})
    return store


def test_total(store):
    assert store.total("m1") == 4.0
