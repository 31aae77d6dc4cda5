import pytest

from bank.accounts import Accounts


def test_busy():
    a = Accounts()
    with a._guard():
        with pytest.raises(TimeoutError):
            a.deposit("ann", 1)


def test_withdraw():
    a = Accounts()
    a.deposit("ann", 10)
    a.withdraw("ann", 4)
    assert a.balance("ann") == 6
    with pytest.raises(ValueError):
        a.withdraw("ann", 7)
