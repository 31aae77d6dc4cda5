import pytest
from farm import Feeder, Herd


@pytest.fixture
def bales():
    return Feeder().fill(mouths=Herd().count()["cows"])["bales"]
