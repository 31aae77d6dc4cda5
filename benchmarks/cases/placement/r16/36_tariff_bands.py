# pure
"""Keeps nothing: the consumption is cut along a fixed timetable that is never written to."""
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

SWITCHES = [(time(0), "night"), (time(6), "day"), (time(17), "peak"), (time(21), "day"), (time(23), "night")]
STARTS = [start for start, _ in SWITCHES]
CENTS = {"night": 18, "day": 27, "peak": 39, "weekend": 21}


@dataclass(slots=True)
class Slice:
    begin: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        return int((self.end - self.begin) / timedelta(minutes=1))

    @property
    def band(self) -> str:
        if self.begin.weekday() >= 5:
            return "weekend"
        return SWITCHES[bisect_right(STARTS, self.begin.time()) - 1][1]


def boundaries(begin: datetime, end: datetime) -> Iterator[datetime]:
    yield begin
    day = begin.date()
    while day <= end.date():
        for start in STARTS:
            moment = datetime.combine(day, start)
            if begin < moment < end:
                yield moment
        day += timedelta(days=1)
    yield end


class TariffBands(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._prices = dict(CENTS)

    @subscribe("/Charger/Session")
    def on_session(self, begin: str, end: str, kwh: float) -> dict[str, object]:
        first, last = datetime.fromisoformat(begin), datetime.fromisoformat(end)
        if first >= last:
            return {"error": "session ends before it begins"}
        minutes: Counter[str] = Counter()
        for left, right in pairwise(boundaries(first, last)):
            piece = Slice(left, right)
            minutes[piece.band] += piece.minutes
        total = sum(minutes.values())
        if not total:
            return {"error": "session too short"}
        cents = sum(self._prices[band] * kwh * share / total for band, share in minutes.items())
        return {"minutes": dict(sorted(minutes.items())), "euro": f"{cents / 100:.2f}"}
