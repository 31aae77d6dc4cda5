import pytest

from fair import Turnstile, Wheel


@pytest.mark.parametrize(("clicks", "gondolas"), [(8, 1), (10, 2), (80, 10)])
def test_gondolas(clicks, gondolas):
    seen = Turnstile().count(clicks)
    spun = Wheel().spin(passengers=seen["riders"])
    assert spun == {"gondolas": gondolas}
