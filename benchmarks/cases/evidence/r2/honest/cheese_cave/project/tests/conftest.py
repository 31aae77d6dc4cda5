import pytest

from cheese.agents import Dairy


@pytest.fixture
def curd():
    return Dairy().curdle(litres=1000)
