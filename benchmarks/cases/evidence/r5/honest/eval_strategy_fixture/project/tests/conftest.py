import pytest

from src_train.arguments import Arguments


@pytest.fixture
def parsed():
    return Arguments().parse("eval=epoch")
