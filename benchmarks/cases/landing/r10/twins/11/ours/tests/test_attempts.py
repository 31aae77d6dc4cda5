import pytest

from gateway import Gateway, GatewayDown
from till import pay


class Flaky:
    def __init__(self, failures):
        self.failures = failures

    def __call__(self, request):
        if self.failures:
            self.failures -= 1
            raise ConnectionError("reset")
        return {"ok": True, "receipt": 7}


def test_second_attempt_works():
    assert Gateway(Flaky(2)).charge("ann", 100) == 7


def test_gives_up():
    with pytest.raises(GatewayDown) as info:
        Gateway(Flaky(3)).charge("ann", 100)
    assert info.value.attempts == 3


def test_till_says_so():
    assert pay(Gateway(Flaky(9)), "ann", 100) == "try again later (no answer after 3 attempts)"
