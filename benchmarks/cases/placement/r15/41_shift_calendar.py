# pure
"""Keeps nothing: the calendar with another first weekday is an object of the event, not the module's."""
import calendar
from datetime import date, timedelta
from itertools import cycle, islice

from graphbus_core import GraphBusNode, subscribe

SHIFTS = "EELLNN--"
WEEKDAYS = {"monday": calendar.MONDAY, "saturday": calendar.SATURDAY, "sunday": calendar.SUNDAY}
EPOCH = date(2020, 1, 6)


def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


class Sheet(calendar.TextCalendar):
    """A month's calendar with the shift in place of the day's number."""

    def __init__(self, firstweekday: int, crew: int, year: int, month: int) -> None:
        super().__init__(firstweekday)
        start = date(year, month, 1)
        offset = ((start - EPOCH).days + 2 * crew) % len(SHIFTS)
        length = calendar.monthrange(year, month)[1]
        self._days = dict(enumerate(islice(cycle(SHIFTS), offset, offset + length), 1))
        self.free = {easter(year) + timedelta(days=gap) for gap in (-2, 1, 39, 50)} | {date(year, 12, 25)}
        self.free = {day.day for day in self.free if day.month == month}
        self._days.update(dict.fromkeys(self.free, "*"))

    def formatday(self, day: int, weekday: int, width: int) -> str:
        return self._days.get(day, " ").center(width)

    def hours(self) -> int:
        return sum(8 for shift in self._days.values() if shift in "ELN")


class ShiftCalendar(GraphBusNode):
    @subscribe("/Plant/CalendarAsked")
    def on_asked(self, crew: int, year: int, month: int, first: str) -> dict[str, object]:
        if not (1 <= month <= 12 and 1950 <= year <= 2100):
            return {"error": "no such month"}
        sheet = Sheet(WEEKDAYS.get(first.lower(), calendar.MONDAY), crew, year, month)
        text = sheet.formatmonth(year, month, w=2)
        return {"sheet": [line.rstrip() for line in text.splitlines()], "hours": sheet.hours(), "free": sorted(sheet.free)}
