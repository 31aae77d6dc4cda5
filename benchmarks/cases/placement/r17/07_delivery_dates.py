# pure
"""Keeps nothing that changes an answer: the holidays of a year are computed from the year alone, cached or not."""
import calendar
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import islice

from graphbus_core import GraphBusNode, subscribe

FIXED = ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26))
AROUND_EASTER = (-2, 1, 39, 50)
DAY = timedelta(days=1)


def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


@cache
def holidays(year: int) -> frozenset[date]:
    found = {date(year, month, day) for month, day in FIXED}
    sunday = easter(year)
    found.update(sunday + offset * DAY for offset in AROUND_EASTER)
    return frozenset(found)


class WorkCalendar(calendar.Calendar):
    """A calendar that also knows the days on which nothing is delivered."""

    def __init__(self, saturday: bool) -> None:
        super().__init__(firstweekday=calendar.MONDAY)
        self.saturday = saturday

    def is_open(self, day: date) -> bool:
        last = calendar.SATURDAY if self.saturday else calendar.FRIDAY
        return day.weekday() <= last and day not in holidays(day.year)

    def open_days(self, start: date) -> Iterator[date]:
        day = start
        while True:
            day += DAY
            if self.is_open(day):
                yield day

    def open_days_of_month(self, day: date) -> int:
        return sum(self.is_open(d) for d in self.itermonthdates(day.year, day.month) if d.month == day.month)


class DeliveryDates(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._calendars = {flag: WorkCalendar(flag) for flag in (True, False)}

    @subscribe("/Shop/Ordered")
    def on_ordered(self, order: str, ordered: str, work_days: int, saturday: bool, week_starts: int) -> dict[str, object]:
        calendar_ = self._calendars[saturday]
        calendar_.setfirstweekday(week_starts % 7)
        try:
            start = date.fromisoformat(ordered)
        except ValueError as error:
            return {"order": order, "error": str(error)}
        due = next(islice(calendar_.open_days(start), max(work_days, 1) - 1, None))
        iso = due.isocalendar()
        return {
            "order": order,
            "due": due.isoformat(),
            "week": f"{iso.year}-W{iso.week:02d}",
            "column": (due.weekday() - calendar_.firstweekday) % 7,
            "open_days_in_month": calendar_.open_days_of_month(due),
        }
