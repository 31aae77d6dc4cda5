"""The login service."""


class Denied(Exception):
    pass


class Service:
    def __init__(self, accounts):
        self.accounts = {account.name: account for account in accounts}

    def login(self, name, password):
        account = self.accounts.get(name)
        if account is None:
            raise Denied("unknown")
        if account.locked:
            raise Denied("locked")
        if not account.check(password):
            raise Denied("wrong password")
        return account
