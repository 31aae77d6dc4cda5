"""How many of the accounts of a cohort are still open."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Retention:
    opened: int
    closed: int

    @property
    def rate(self):
        return 1.0 if not self.opened else (self.opened - self.closed) / self.opened


def retention(directory, since):
    cohort = directory.search(since=since)
    closed = [account for account in cohort if account.closed is not None]
    return Retention(len(cohort), len(closed))


def line(retention):
    return f"{retention.opened} opened, {retention.closed} closed, {retention.rate:.0%} kept"
