import pytest

from dosing import DoseTable


def test_added_band_is_used():
    t = DoseTable.from_text("10 50\n20 100\n")
    t.add(40, 180)
    assert t.dose(33) == 180
    assert t.highest() == 180


def test_no_empty_dose():
    with pytest.raises(ValueError):
        DoseTable([]).add(40, 0)
