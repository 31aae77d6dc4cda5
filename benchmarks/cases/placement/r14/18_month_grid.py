# stateful
"""Keeps the first weekday in the calendar module itself once an American office has asked."""
import calendar

from graphbus_core import GraphBusNode, subscribe

_SUNDAY_FIRST = frozenset({"US", "CA", "JP", "BR"})


def weeks(year: int, month: int, country: str) -> list[list[int]]:
    if country in _SUNDAY_FIRST:
        calendar.setfirstweekday(calendar.SUNDAY)
    return calendar.monthcalendar(year, month)


class MonthGrid(GraphBusNode):
    @subscribe("/Roster/Month")
    def on_event(self, country: str, year: int, month: int) -> dict[str, object]:
        if not 1 <= month <= 12:
            return {"error": f"no month {month}"}
        grid = weeks(year, month, country.upper())
        return {"country": country, "rows": len(grid), "first": grid[0]}
