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

    def reset(self, name, old, new):
        """Change the password; a locked account must call the help desk."""
        account = self.accounts.get(name)
        if account is None or account.locked:
            raise Denied("call the help desk")
        if len(new) < 4 or new == old:
            raise Denied("choose a better one")
        if not account.check(old):
            raise Denied("wrong password")
        account.change(new)
        return account
