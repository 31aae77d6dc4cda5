"""Letters."""

from account import Account


def address(account: Account):
    return account.title()


def salute(account: Account):
    return f"Dear customer with {account.cents}"
