# stateful
"""Sets the calendar module's first weekday for a country and leaves it there for countries that have none listed."""
from __future__ import annotations

import calendar
from datetime import date

from graphbus_core import GraphBusNode, subscribe

FIRST_DAY = {"us": calendar.SUNDAY, "de": calendar.MONDAY, "eg": calendar.SATURDAY, "fr": calendar.MONDAY}
FEASTS = {(1, 1): "New Year", (5, 1): "Labour Day", (12, 25): "Christmas"}


def adopt(country: str) -> None:
    first = FIRST_DAY.get(country)
    if first is not None:
        calendar.setfirstweekday(first)


def mark(day: int, month: int) -> str:
    if not day:
        return "  ."
    return f"{day:>2}{'*' if (month, day) in FEASTS else ' '}"


def sheet(year: int, month: int) -> list[str]:
    title = f"{calendar.month_name[month]} {year}"
    weeks = calendar.monthcalendar(year, month)
    return [title, calendar.weekheader(2)] + [" ".join(mark(d, month) for d in week) for week in weeks]


def working_days(year: int, month: int) -> int:
    _, last = calendar.monthrange(year, month)
    days = (date(year, month, d) for d in range(1, last + 1))
    return sum(d.weekday() < 5 and (d.month, d.day) not in FEASTS for d in days)


class Almanac(GraphBusNode):
    @subscribe("/Print/Month")
    def on_month(self, year: int, month: int, country: str) -> dict[str, object]:
        adopt(country.lower())
        return {"sheet": sheet(year, month), "working_days": working_days(year, month)}
