from pool import Pool
from service import stop


def test_stop():
    assert stop(Pool()) is False
