# stateful
"""Keeps the first day of the week, which one customer's sheet sets in the calendar module and leaves there."""
import calendar
from textwrap import indent

from graphbus_core import GraphBusNode, subscribe

FIRST_DAY = {"US": calendar.SUNDAY, "CA": calendar.SUNDAY, "EG": calendar.SATURDAY}
CLOSED = {(1, 1), (5, 1), (12, 25)}


def sheet(year: int, month: int, country: str) -> str:
    first = FIRST_DAY.get(country)
    if first is not None:
        calendar.setfirstweekday(first)
    return calendar.month(year, month, w=2)


def closing_days(month: int) -> list[int]:
    return sorted(day for m, day in CLOSED if m == month)


class MonthSheet(GraphBusNode):
    """Prints the month of a shift plan as text."""

    @subscribe("/Plan/Month")
    def on_month(self, year: int, month: int, country: str) -> str:
        if not 1 <= month <= 12:
            return f"no month {month}"
        text = indent(sheet(year, month, country).rstrip(), "  ")
        closed = closing_days(month)
        if closed:
            text += "\n  closed: " + ", ".join(str(day) for day in closed)
        return text
