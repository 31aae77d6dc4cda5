"""A cash book: entries, and what they come to."""
from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    day: dt.date
    text: str
    cents: int


class CashBook:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._balance = 0

    def post(self, entry: Entry) -> None:
        if not entry.cents:
            raise ValueError("an entry of nothing: " + entry.text)
        self.entries.append(entry)
        self._balance += entry.cents

    def balance(self) -> int:
        """Kept up to date by `post`: it is asked for after every key stroke."""
        return self._balance

    def page(self, month: int) -> list[Entry]:
        return [entry for entry in self.entries if entry.day.month == month]
