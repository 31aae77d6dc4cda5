import pytest

from kebab.counter import Counter
from kebab.kitchen import Kitchen


@pytest.fixture
def kitchen():
    return Kitchen()


@pytest.fixture
def ordered(kitchen):
    taken = Counter().take("falafel")
    kitchen.on_order({"order_no": taken["ticket"], "dish": taken["dish"]})
    return kitchen
