import pytest
from rent import Rent
from survey import Survey


def test_old_name():
    with pytest.warns(DeprecationWarning):
        assert Survey().walk().visitors == 3000


def test_rent():
    assert Rent().fix(100) == {"rent": 50}
