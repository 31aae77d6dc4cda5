# stateful
"""Keeps the first day of the week in the calendar module's own settings."""
import calendar
from datetime import date

from graphbus_core import GraphBusNode, subscribe

SUNDAY_FIRST = frozenset({"US", "CA", "JP", "BR"})


def weeks_of(year: int, month: int, country: str) -> list[list[int]]:
    if country in SUNDAY_FIRST:
        calendar.setfirstweekday(calendar.SUNDAY)
    return calendar.monthcalendar(year, month)


def spread(kwh: float, year: int, month: int, weeks: list[list[int]]) -> list[float]:
    length = calendar.monthrange(year, month)[1]
    per_day = kwh / length
    return [round(per_day * sum(1 for day in week if day), 2) for week in weeks]


class MeterWeeks(GraphBusNode):
    """Breaks a month's consumption down to the weeks in which the customer is billed."""

    @subscribe("/Meter/Month")
    def on_month(self, meter: str, start: str, kwh: float, country: str) -> dict[str, object]:
        first = date.fromisoformat(start).replace(day=1)
        weeks = weeks_of(first.year, first.month, country.upper())
        parts = spread(kwh, first.year, first.month, weeks)
        return {
            "meter": meter,
            "month": f"{calendar.month_abbr[first.month]} {first.year}",
            "weeks": len(weeks),
            "parts": parts,
        }
