"""Imports the bank's CSV: date;text;amount"""
import csv
from dataclasses import dataclass, field

from ledger import amounts


@dataclass
class Imported:
    bookings: list = field(default_factory=list)
    skipped: list = field(default_factory=list)


def import_rows(lines):
    result = Imported()
    for number, row in enumerate(csv.reader(lines, delimiter=";"), 1):
        if len(row) != 3:
            result.skipped.append(number)
            continue
        amount = amounts.parse_amount(row[2], strict=False)
        if amount is None:
            result.skipped.append(number)
        else:
            result.bookings.append((row[0], row[1], amount))
    return result
