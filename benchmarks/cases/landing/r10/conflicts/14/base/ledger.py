"""Ledger of customer accounts."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    account: str
    cents: int
    memo: str


class Ledger:
    def __init__(self):
        self.entries = []

    def post(self, account, cents, memo=""):
        """Write one entry; positive is what the customer owes."""
        if cents == 0:
            raise ValueError("nothing to post")
        self.entries.append(Entry(account, cents, memo))
        return len(self.entries)

    def balance(self, account):
        return sum(e.cents for e in self.entries if e.account == account)
