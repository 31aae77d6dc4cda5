# pure
"""Keeps Easter Sundays and holiday tables by year, which are the same whoever computes them."""
from __future__ import annotations

import calendar
from datetime import date, timedelta
from enum import IntEnum
from typing import ClassVar, Iterator

from graphbus_core import GraphBusNode, subscribe


class Shift(IntEnum):
    EARLY = 0
    LATE = 1
    NIGHT = 2

    def after(self, days: int) -> "Shift":
        return Shift((self + days) % len(Shift))


class Holidays:
    _tables: ClassVar[dict[int, frozenset[date]]] = {}

    @classmethod
    def of(cls, year: int) -> frozenset[date]:
        try:
            return cls._tables[year]
        except KeyError:
            return cls._tables.setdefault(year, frozenset(cls._compute(year)))

    @classmethod
    def _compute(cls, year: int) -> Iterator[date]:
        easter = cls._easter(year)
        for offset in (-2, 1, 39, 50):
            yield easter + timedelta(days=offset)
        for month, day in ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26)):
            yield date(year, month, day)

    @staticmethod
    def _easter(year: int) -> date:
        a, (b, c) = year % 19, divmod(year, 100)
        h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
        l = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
        month, day = divmod(h + l - 7 * ((a + 11 * h + 22 * l) // 451) + 114, 31)
        return date(year, month, day + 1)


class WardCalendar(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._names = list(calendar.day_abbr)

    def _days(self, start: date, wanted: int) -> Iterator[date]:
        day = start
        while wanted > 0:
            if day.weekday() < calendar.SATURDAY and day not in Holidays.of(day.year):
                wanted -= 1
                yield day
            day += timedelta(days=1)

    @subscribe("/Rosters")
    def on_roster(self, start: str, days: int, shift: str) -> dict[str, object]:
        try:
            first, kind = date.fromisoformat(start), Shift[shift.upper()]
        except (ValueError, KeyError) as problem:
            return {"error": f"{type(problem).__name__}: {problem}"}
        if not 1900 <= first.year <= 2199:
            return {"error": "year out of range"}
        plan = [
            f"{self._names[day.weekday()]} {day:%d.%m.} {kind.after(index).name.lower()}"
            for index, day in enumerate(self._days(first, min(days, 30)))
        ]
        return {"plan": plan, "week": first.isocalendar().week}
