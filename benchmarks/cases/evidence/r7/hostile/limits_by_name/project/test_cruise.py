import pytest
from cruise import Cruise
from throttle import Throttle


def test_hold():
    now = Throttle().read()
    assert Cruise().hold(now["velocity"]) == {"rpm": 3000}


def test_too_fast():
    with pytest.raises(ValueError, match="out of 0..130"):
        Cruise().hold(180)
