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
        self._summed = 0  # so many entries are in _balance

    def post(self, entry: Entry) -> None:
        if not entry.cents:
            raise ValueError("an entry of nothing: " + entry.text)
        self.entries.append(entry)

    def balance(self) -> int:
        """Adds up what is new only: it is asked for after every key stroke."""
        self._balance += sum(entry.cents for entry in self.entries[self._summed:])
        self._summed = len(self.entries)
        return self._balance

    def page(self, month: int) -> list[Entry]:
        return [entry for entry in self.entries if entry.day.month == month]
