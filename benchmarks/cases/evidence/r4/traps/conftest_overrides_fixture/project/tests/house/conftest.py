import pytest


@pytest.fixture
def measured():
    return {"lot": "L1", "area": 120.0}     # inside the walls
