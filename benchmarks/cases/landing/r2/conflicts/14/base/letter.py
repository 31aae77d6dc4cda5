"""Letters."""

from account import Account


def address(account: Account):
    return account.title()
