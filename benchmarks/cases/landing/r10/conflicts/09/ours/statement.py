"""Account statements in a fixed-width text format."""
from dataclasses import dataclass

DAY_WIDTH = 10
NAME_WIDTH = 35  # as long as the payment scheme allows
AMOUNT_WIDTH = 12

MEMO_WIDTH = 20


@dataclass(frozen=True)
class Transaction:
    day: str
    name: str
    cents: int
    memo: str = ""


def fit(text, width):
    return text[:width].ljust(width)


def format_line(t):
    return (fit(t.day, DAY_WIDTH) + fit(t.name, NAME_WIDTH)
            + str(t.cents).rjust(AMOUNT_WIDTH) + fit(t.memo, MEMO_WIDTH))


def write(transactions):
    """The lines of a statement, one a transaction, oldest first."""
    return [format_line(t) for t in sorted(transactions, key=lambda t: t.day)]
