# pure
"""Counts the days from a fixed anchor date to that in the event; the cycle is begun anew for every question."""
from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum
from itertools import chain, cycle, islice, repeat

from graphbus_core import GraphBusNode, subscribe


class Shift(StrEnum):
    EARLY = "06-14"
    LATE = "14-22"
    NIGHT = "22-06"
    FREE = "free"


ANCHOR = date(2024, 1, 1)
PATTERN = [(Shift.EARLY, 2), (Shift.LATE, 2), (Shift.NIGHT, 2), (Shift.FREE, 4)]
OFFSETS = {"red": 0, "blue": 2, "green": 4, "yellow": 6, "white": 8}


def sequence() -> list[Shift]:
    return list(chain.from_iterable(repeat(shift, days) for shift, days in PATTERN))


def shifts(crew: str, first: date) -> Iterator[tuple[date, Shift]]:
    pattern = sequence()
    position = ((first - ANCHOR).days + OFFSETS[crew]) % len(pattern)
    wheel = islice(cycle(pattern), position, None)
    day = first
    for shift in wheel:
        yield day, shift
        day += timedelta(days=1)


class Roster(GraphBusNode):
    @subscribe("/roster/ask")
    def on_ask(self, crew: str, first: str, days: int) -> dict[str, object]:
        name = crew.lower()
        if name not in OFFSETS:
            return {"crew": crew, "error": "no such crew", "known": sorted(OFFSETS)}
        start = date.fromisoformat(first)
        plan = list(islice(shifts(name, start), max(0, min(days, 31))))
        free = [day.isoformat() for day, shift in plan if shift is Shift.FREE]
        return {
            "crew": name,
            "plan": [f"{day:%a %d} {shift}" for day, shift in plan],
            "next_free": free[0] if free else None,
        }
