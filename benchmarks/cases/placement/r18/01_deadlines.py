# pure
"""Keeps only the holidays of years already asked for, which are the same whenever they are computed."""
from __future__ import annotations

import calendar
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

FIXED = {(1, 1): "New Year", (5, 1): "Labour Day", (10, 3): "Unity Day", (12, 25): "Christmas", (12, 26): "St Stephen"}
MOVABLE = {-2: "Good Friday", 1: "Easter Monday", 39: "Ascension", 50: "Whit Monday"}
TERMS = {"appeal": (0, 1), "reply": (14, 0), "objection": (0, 1), "reasons": (0, 2), "costs": (7, 0)}


def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    j = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * j) // 451
    month, day = divmod(h + j - 7 * m + 114, 31)
    return date(year, month, day + 1)


class HolidayTable:
    def __init__(self) -> None:
        self._years: dict[int, dict[date, str]] = {}

    def __getitem__(self, year: int) -> dict[date, str]:
        if year not in self._years:
            sunday = easter(year)
            table = {date(year, month, day): name for (month, day), name in FIXED.items()}
            table |= {sunday + timedelta(days=offset): name for offset, name in MOVABLE.items()}
            self._years[year] = table
        return self._years[year]


def add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


class Deadlines(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.holidays = HolidayTable()

    @subscribe("/Court/Service")
    def on_service(self, served: str, kind: str) -> dict[str, object]:
        days, months = TERMS.get(kind, (14, 0))
        nominal = due = add_months(date.fromisoformat(served), months) + timedelta(days=days)
        reasons = []
        while due.weekday() >= 5 or due in self.holidays[due.year]:
            reasons.append(self.holidays[due.year].get(due, due.strftime("%A")))
            due += timedelta(days=1)
        return {"nominal": nominal.isoformat(), "due": due.isoformat(), "moved_for": reasons}
