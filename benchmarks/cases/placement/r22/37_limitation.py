# pure
"""The term follows from the dates of the claim alone."""
from datetime import date, timedelta
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

YEARS = {"contract": 5, "tort": 3, "wage": 2}


def add_years(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, month=3, day=1)


def parse_pause(text: str) -> tuple[date, date]:
    start, end = map(date.fromisoformat, text.split("/"))
    return start, end


def extend(limit: date, pause: tuple[date, date]) -> date:
    start, end = pause
    if start > limit:
        return limit
    return limit + (end - start) + timedelta(days=1)


def next_court_day(day: date) -> date:
    while day.weekday() > 4:
        day += timedelta(days=1)
    return day


class Limitation(GraphBusNode):
    @subscribe("/Claim")
    def on_claim(self, claim: str, arose: str, filed: str, pauses: list[str]) -> dict[str, object]:
        limit = add_years(date.fromisoformat(arose), YEARS[claim])
        limit = reduce(extend, sorted(map(parse_pause, pauses)), limit)
        limit = next_court_day(limit)
        late = (date.fromisoformat(filed) - limit).days
        return {"limit": limit.isoformat(), "barred": late > 0, "days": abs(late)}
