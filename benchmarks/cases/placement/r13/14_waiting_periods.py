# pure
"""Keeps nothing: date arithmetic on the event's own dates."""
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

WAITING = {"dental": 8, "hospital": 3, "birth": 8, "therapy": 6}
FIXED_HOLIDAYS = {(1, 1), (5, 1), (12, 25), (12, 26)}


def add_months(day: date, months: int) -> date:
    index = day.month - 1 + months
    year, month = day.year + index // 12, index % 12 + 1
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month, last)
        except ValueError:
            continue
    raise ValueError("no such day")


def next_working_day(day: date) -> date:
    while day.weekday() >= 5 or (day.month, day.day) in FIXED_HOLIDAYS:
        day += timedelta(days=1)
    return day


class WaitingPeriods(GraphBusNode):
    @subscribe("/Health/Waiting")
    def on_request(self, start: str, benefits: list[str], treated: str) -> dict[str, object]:
        begin = date.fromisoformat(start)
        treatment = date.fromisoformat(treated)
        ends: dict[str, str] = {}
        covered: list[str] = []
        for benefit in benefits:
            months = WAITING.get(benefit, 0)
            end = next_working_day(add_months(begin, months)) if months else begin
            ends[benefit] = end.isoformat()
            if treatment >= end:
                covered.append(benefit)
        return {"ends": ends, "covered": covered, "days_in": (treatment - begin).days}
