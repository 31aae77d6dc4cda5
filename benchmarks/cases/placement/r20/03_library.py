# pure
"""Computes the fine of a returned book from the two dates in the event; holidays are a constant."""
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

CLOSED = {date(2024, 1, 1), date(2024, 5, 1), date(2024, 12, 25), date(2024, 12, 26)}


class Kind(Enum):
    BOOK = ("book", 28, Decimal("0.20"))
    FILM = ("film", 7, Decimal("1.00"))
    MAGAZINE = ("magazine", 14, Decimal("0.10"))

    def __init__(self, label: str, days: int, rate: Decimal) -> None:
        self.label = label
        self.days = days
        self.rate = rate

    @classmethod
    def named(cls, label: str) -> "Kind":
        for kind in cls:
            if kind.label == label.lower():
                return kind
        return cls.BOOK


def open_days(start: date, end: date) -> Iterator[date]:
    """Days after start up to and including end on which the library is open."""
    day = start
    while day < end:
        day += timedelta(days=1)
        if day.weekday() != 6 and day not in CLOSED:
            yield day


def due_date(lent: date, kind: Kind) -> date:
    due = lent + timedelta(days=kind.days)
    while due.weekday() == 6 or due in CLOSED:
        due += timedelta(days=1)
    return due


class Fines(GraphBusNode):
    CAP = Decimal("15.00")

    def __init__(self) -> None:
        super().__init__()
        self._grace = 1

    @subscribe("/Library/Return")
    def on_return(self, title: str, kind: str, lent: str, returned: str) -> dict[str, object]:
        medium = Kind.named(kind)
        due = due_date(date.fromisoformat(lent), medium)
        late = sum(1 for _ in open_days(due, date.fromisoformat(returned)))
        charged = late if late > self._grace else 0
        fine = min(self.CAP, charged * medium.rate)
        return {"title": title.title(), "due": due.isoformat(), "late": late, "fine": f"{fine:.2f}"}
