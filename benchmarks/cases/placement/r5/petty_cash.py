# stateful
"""Keeps the cash book in a temporary file and reads its last line back to carry the balance."""
import csv
import os
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


def open_book(opening_cents: int) -> Path:
    handle, name = tempfile.mkstemp(prefix="cash-", suffix=".csv")
    with os.fdopen(handle, "w", newline="") as book:
        csv.writer(book).writerow([0, "opening", opening_cents, opening_cents])
    return Path(name)


def last_line(book: Path) -> list[str]:
    with book.open(newline="") as lines:
        *_, last = csv.reader(lines)
    return last


def enter(book: Path, text: str, cents: int) -> tuple[int, int]:
    number, _, _, balance = last_line(book)
    row = (int(number) + 1, text, cents, int(balance) + cents)
    with book.open("a", newline="") as lines:
        csv.writer(lines).writerow(row)
    return row[0], row[3]


class PettyCash(GraphBusNode):
    """Enters what was taken from or put into the cash box."""

    BOOK = open_book(20_000)

    @subscribe("/Cash/Entry")
    def on_entry(self, text: str, cents: int) -> dict[str, object]:
        if not cents:
            return {"refused": "nothing moved"}
        voucher, balance = enter(self.BOOK, text[:40], cents)
        return {"voucher": voucher, "balance": balance, "alarm": balance < 0}
