import pytest

from stock import Stock


def test_move():
    s = Stock()
    s.put("M4", 10)
    s.move("M4", "M4 front", 4)
    assert s.inventory() == {"M4": 6, "M4 front": 4}


def test_failed_move_changes_nothing():
    s = Stock()
    s.put("M4", 1)
    with pytest.raises(ValueError):
        s.move("M4", "M5", 4)
    assert s.inventory() == {"M4": 1}
