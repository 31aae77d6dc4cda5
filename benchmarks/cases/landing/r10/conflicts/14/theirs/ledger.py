"""Ledger of customer accounts."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    account: str
    cents: int
    memo: str
    author: str


class Ledger:
    def __init__(self):
        self.entries = []

    def post(self, account, cents, author="system", memo=""):
        """Write one entry; positive is what the customer owes."""
        if cents == 0:
            raise ValueError("nothing to post")
        self.entries.append(Entry(account, cents, memo, author))
        return len(self.entries)

    def balance(self, account):
        return sum(e.cents for e in self.entries if e.account == account)

    def authors(self):
        """Who wrote entries, for the auditor."""
        return sorted({e.author for e in self.entries})
