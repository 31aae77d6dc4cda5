import pytest

from builder import Builder


@pytest.fixture(scope="session")
def built():
    yield Builder().build("abcdef")
