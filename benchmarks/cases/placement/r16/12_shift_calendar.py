# pure
"""Keeps nothing: the calendar object is configured by the event and belongs to it."""
import calendar
from datetime import date, timedelta
from itertools import cycle, islice
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

FIXED = {(1, 1): "New Year", (5, 1): "Labour Day", (12, 25): "Christmas"}


def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


class Holidays(dict):
    """Fills itself with a year's movable feasts when that year is asked for."""

    def __missing__(self, year: int) -> dict[date, str]:
        feasts = {date(year, month, day): name for (month, day), name in FIXED.items()}
        sunday = easter(year)
        feasts[sunday + timedelta(days=1)] = "Easter Monday"
        feasts[sunday + timedelta(days=39)] = "Ascension"
        self[year] = feasts
        return feasts


HOLIDAYS = Holidays()


class Rota:
    def __init__(self, teams: list[str], first_weekday: int) -> None:
        self._calendar = calendar.Calendar(firstweekday=first_weekday)
        self._teams = cycle(teams)

    def weeks(self, year: int, month: int) -> Iterator[tuple[int, str, list[date]]]:
        for number, week in enumerate(self._calendar.monthdatescalendar(year, month), 1):
            yield number, next(self._teams), [day for day in week if day.month == month]


class ShiftCalendar(GraphBusNode):
    @subscribe("/Rota/Month")
    def on_month(self, year: int, month: int, teams: list[str], sunday_first: bool) -> dict[str, object]:
        rota = Rota(teams, calendar.SUNDAY if sunday_first else calendar.MONDAY)
        table, free = [], {}
        for number, team, days in rota.weeks(year, month):
            feasts = {day: HOLIDAYS[day.year][day] for day in days if day in HOLIDAYS[day.year]}
            free.update((day.isoformat(), name) for day, name in feasts.items())
            worked = [day for day in days if day.weekday() < 5 and day not in feasts]
            table.append(f"{number} {team} {len(worked)}")
        standby = list(islice(cycle(teams), 1, 3))
        return {"weeks": table, "free": free, "standby": standby}
