import pytest
from demand import Demand


@pytest.fixture
def forecast():
    return Demand().forecast("evening")
