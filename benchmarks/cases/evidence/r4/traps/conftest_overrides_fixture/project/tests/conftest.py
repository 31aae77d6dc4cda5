import pytest

from survey import Survey


@pytest.fixture
def measured():
    return Survey().measure("L1")
