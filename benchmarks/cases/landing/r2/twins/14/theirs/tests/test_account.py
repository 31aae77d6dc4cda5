from account import Account
from letter import address


def test_title():
    assert address(Account("Ann", 4)) == "Ann: 4"
