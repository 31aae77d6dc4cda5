import pytest

from clinic.cuff import Cuff


@pytest.fixture(scope="session")
def measured():
    return Cuff().measure(arm="left")
