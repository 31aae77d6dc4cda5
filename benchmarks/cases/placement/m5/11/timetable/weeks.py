from __future__ import annotations

import calendar
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

TERMS = {"autumn": (date(2024, 9, 2), 15), "spring": (date(2025, 1, 6), 12), "summer": (date(2025, 4, 22), 11)}
HOLIDAYS = {date(2024, 10, 28) + timedelta(days=d) for d in range(5)} | {date(2025, 5, 1)}


class MonthSheet(GraphBusNode):
    @subscribe("/Weeks/Sheet")
    def on_sheet(self, year: int, month: int) -> list[list[int]]:
        return calendar.monthcalendar(year, month)


class WeekPreferences(GraphBusNode):
    @subscribe("/Weeks/FirstDay")
    def on_first_day(self, name: str) -> str:
        index = [d.lower() for d in calendar.day_name].index(name.lower())
        calendar.setfirstweekday(index)
        return calendar.day_abbr[index]


class TeachingDays(GraphBusNode):
    @subscribe("/Weeks/Teaching")
    def on_ask(self, term: str, weekday: int) -> dict[str, object]:
        start, weeks = TERMS[term]
        grid = calendar.Calendar(weekday).monthdayscalendar(start.year, start.month)
        days = (start + timedelta(days=d) for d in range(weeks * 7))
        lessons = [d for d in days if d.weekday() == weekday and d not in HOLIDAYS]
        return {"first": lessons[0].isoformat(), "count": len(lessons), "rows": len(grid)}
