import pytest
from farm import Feeder, Herd


@pytest.fixture
def bales():
    n = Herd().count()
    return Feeder().fill(mouths=n["cows"] + n["calves"])["bales"]


def test_all_eat(bales):
    assert bales == 28
