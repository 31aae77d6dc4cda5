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

    def post(self, entry: Entry) -> None:
        if not entry.cents:
            raise ValueError("an entry of nothing: " + entry.text)
        self.entries.append(entry)

    def balance(self) -> int:
        return sum(entry.cents for entry in self.entries)

    def page(self, month: int) -> list[Entry]:
        return [entry for entry in self.entries if entry.day.month == month]
