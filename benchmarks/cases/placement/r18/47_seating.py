# stateful
"""Takes seats off the hall's rows: the plan for an event lists the same row objects as the hall itself."""
from __future__ import annotations

import re
from itertools import groupby

from graphbus_core import GraphBusNode, subscribe

HALL = [
    ("A", list(range(1, 9))),
    ("B", list(range(1, 11))),
    ("C", list(range(1, 11))),
    ("D", [1, 2, 3, 8, 9, 10]),
]
PRICE = {"A": 48, "B": 42, "C": 36, "D": 24}
WISH = re.compile(r"(?P<count>\d+)\s*(?:x|seats?)?\s*(?:in\s+)?(?:row\s+)?(?P<row>[A-D])?$", re.I)


def runs(seats: list[int]) -> list[list[int]]:
    return [[n for _, n in group] for _, group in groupby(enumerate(seats), key=lambda pair: pair[1] - pair[0])]


def candidates(row: str | None) -> list[tuple[str, list[int]]]:
    return [(name, seats) for name, seats in HALL if row in (None, name)]


def allot(row: str | None, count: int) -> tuple[str, list[int]] | None:
    for name, seats in candidates(row):
        for run in runs(seats):
            if len(run) >= count:
                start = seats.index(run[0])
                taken, seats[start:start + count] = run[:count], []
                return name, taken
    return None


class BoxOffice(GraphBusNode):
    @subscribe("/Theatre/Wish")
    def on_wish(self, text: str) -> dict[str, object]:
        wish = WISH.match(text.strip())
        if not wish or not int(wish["count"]):
            return {"error": f"cannot read {text!r}"}
        row = wish["row"].upper() if wish["row"] else None
        found = allot(row, int(wish["count"]))
        if found is None:
            return {"sold": False}
        name, seats = found
        return {"sold": True, "seats": [f"{name}{n}" for n in seats], "total": PRICE[name] * len(seats)}
