"""Take over the month's file of the bank."""
from __future__ import annotations

import csv
import datetime as dt
from typing import TextIO

from ledger.book import CashBook, Entry


def read(file: TextIO) -> list[Entry]:
    """Rows of date;text;amount, the amount as 1.234,56 - fees of 0,00 are listed, too."""
    entries = []
    for day, text, amount in csv.reader(file, delimiter=";"):
        cents = int(amount.replace(".", "").replace(",", ""))
        entries.append(Entry(dt.date.fromisoformat(day), text.strip(), cents))
    return entries


def take_over(book: CashBook, file: TextIO) -> int:
    """Put the file's rows in the book, save for those it has; how many were new."""
    have = set(book.entries)
    new = [entry for entry in read(file) if entry not in have]
    # not post(): the bank's rows of 0,00 shall be in the book
    book.entries.extend(new)
    return len(new)
