"""The directory of user accounts."""


class Account(object):
    """One account; disabled accounts are kept for seven years."""

    def __init__(self, name, email, disabled=False):
        self.name = name
        self.email = email
        self.disabled = disabled


class AccountDirectory(object):
    """Finds accounts."""

    def __init__(self, accounts):
        self._accounts = list(accounts)

    def disable(self, name):
        """Disable an account by its name."""
        for account in self._accounts:
            if account.name == name:
                account.disabled = True

    def find(self, email_domain=None, include_disabled=False):
        """Return the accounts in use, or all of them, sorted by name."""
        found = [a for a in self._accounts
                 if (include_disabled or not a.disabled)
                 and (email_domain is None or a.email.endswith("@" + email_domain))]
        return sorted(found, key=lambda a: a.name)
