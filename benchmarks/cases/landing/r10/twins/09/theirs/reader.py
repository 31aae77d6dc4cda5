"""Read statements back in and add them up."""
from collections import defaultdict

from statement import Transaction

COLUMNS = {"day": slice(0, 10), "name": slice(10, 30), "cents": slice(30, 42), "memo": slice(42, None)}


def parse_line(line):
    fields = {key: line[columns].strip() for key, columns in COLUMNS.items()}
    fields["cents"] = int(fields["cents"] or 0)
    return Transaction(**fields)


def read(lines):
    return [parse_line(line) for line in lines if line.strip()]


def totals(transactions):
    """Sum in cents by name."""
    sums = defaultdict(int)
    for t in transactions:
        sums[t.name] += t.cents
    return dict(sums)
