import pytest
from scale import Scale
from stamp import Stamp


class TestStamp:
    @pytest.mark.parametrize("letter, cents", [("thin", 90), ("thick", 110)])
    def test_letters(self, letter, cents):
        weighed = Scale().put(letter)
        assert Stamp().choose(grams=weighed["grams"])["cents"] == cents
