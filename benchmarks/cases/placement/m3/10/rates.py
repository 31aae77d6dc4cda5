from __future__ import annotations

import datetime as dt
from decimal import Decimal
from itertools import groupby

SEASONS = [
    (dt.date(2024, 1, 1), "low"),
    (dt.date(2024, 5, 15), "mid"),
    (dt.date(2024, 7, 1), "high"),
    (dt.date(2024, 9, 10), "low"),
]
NIGHT = {"low": Decimal(70), "mid": Decimal(95), "high": Decimal(140)}


def season(day: dt.date) -> str:
    current = SEASONS[0][1]
    for start, name in SEASONS:
        if day < start:
            break
        current = name
    return current


def nights(arrive: dt.date, leave: dt.date):
    day = arrive
    while day < leave:
        yield day
        day += dt.timedelta(days=1)


def runs(arrive: dt.date, leave: dt.date) -> list[tuple[str, int]]:
    return [(name, sum(1 for _ in days)) for name, days in groupby(nights(arrive, leave), key=season)]
