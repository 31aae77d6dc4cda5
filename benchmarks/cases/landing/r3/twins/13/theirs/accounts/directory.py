"""Accounts in memory, loaded from dicts."""
from dataclasses import dataclass
from datetime import date
from typing import Optional


@dataclass(frozen=True)
class Account:
    name: str
    owner: str
    opened: date
    closed: Optional[date] = None


class Directory:
    def __init__(self, accounts=()):
        self._accounts = {account.name: account for account in accounts}

    def add(self, account):
        if account.name in self._accounts:
            raise ValueError(account.name)
        self._accounts[account.name] = account

    def search(self, owner=None, since=None):
        """Return the accounts that match, sorted by name."""
        found = []
        for account in self._accounts.values():
            if owner is not None and account.owner != owner:
                continue
            if since is not None and account.opened < since:
                continue
            found.append(account)
        return sorted(found, key=lambda account: account.name)
