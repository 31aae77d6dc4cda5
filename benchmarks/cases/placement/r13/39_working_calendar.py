# pure
"""Keeps nothing: easter and holidays follow from the year; the dictionary is a memo which changes no answer."""
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

_memo: dict[int, frozenset[date]] = {}


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


def holidays(year: int) -> frozenset[date]:
    if year not in _memo:
        sunday = easter(year)
        moving = [sunday + timedelta(days=n) for n in (-2, 1, 39, 50)]
        fixed = [date(year, m, d) for m, d in ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26))]
        _memo[year] = frozenset(moving + fixed)
    return _memo[year]


class PaymentDeadline(GraphBusNode):
    @subscribe("/Billing/Deadline")
    def deadline(self, posted: str, working_days: int) -> dict[str, object]:
        day = date.fromisoformat(posted)
        left = working_days
        skipped = 0
        while left > 0:
            day += timedelta(days=1)
            if day.weekday() < 5 and day not in holidays(day.year):
                left -= 1
            else:
                skipped += 1
        return {"deadline": day.isoformat(), "skipped": skipped}
