import pytest

from dosing import DoseTable


def test_band_of_the_weight():
    t = DoseTable.from_text("20 100\n10 50\n")
    assert t.dose(8) == 50
    assert t.dose(10) == 50
    assert t.dose(11) == 100
    assert len(t) == 2


def test_too_heavy():
    with pytest.raises(LookupError):
        DoseTable([(10, 50)]).dose(11)
