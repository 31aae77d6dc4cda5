# pure
"""Works out a week's pay from the stamps in the event."""
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

NIGHT = (time(22), time(6))
EXTRA = {"night": Decimal("0.25"), "sunday": Decimal("0.50"), "overtime": Decimal("0.30")}
WEEK_MINUTES = 38 * 60 + 30


@dataclass
class Week:
    minutes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    problems: list[str] = field(default_factory=list)

    def add_span(self, start: datetime, end: datetime) -> None:
        worked = end - start - pause(end - start)
        self.minutes["all"] += int(worked.total_seconds()) // 60
        moment = start
        while moment < end:
            if moment.time() >= NIGHT[0] or moment.time() < NIGHT[1]:
                self.minutes["night"] += 15
            if moment.weekday() == 6:
                self.minutes["sunday"] += 15
            moment += timedelta(minutes=15)


def pause(span: timedelta) -> timedelta:
    if span > timedelta(hours=9):
        return timedelta(minutes=45)
    return timedelta(minutes=30) if span > timedelta(hours=6) else timedelta(0)


def pair_up(stamps: list[str], week: Week) -> list[tuple[datetime, datetime]]:
    pairs, opened = [], None
    for moment in sorted(map(datetime.fromisoformat, stamps)):
        if opened is None:
            opened = moment
        elif moment - opened > timedelta(hours=14):
            week.problems.append(f"no end for {opened:%d.%m. %H:%M}")
            opened = moment
        else:
            pairs.append((opened, moment))
            opened = None
    if opened is not None:
        week.problems.append(f"no end for {opened:%d.%m. %H:%M}")
    return pairs


class Payroll(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.cent = Decimal("0.01")

    @subscribe("/Payroll/Week")
    def on_week(self, worker: str, hourly: str, stamps: list[str], holidays: list[str]) -> dict[str, object]:
        week = Week()
        for start, end in pair_up(stamps, week):
            week.add_span(start, end)
        free = {date.fromisoformat(day) for day in holidays}
        target = WEEK_MINUTES - len([d for d in free if d.weekday() < 5]) * (WEEK_MINUTES // 5)
        week.minutes["overtime"] = max(0, week.minutes["all"] - target)
        rate = Decimal(hourly) / 60
        pay = rate * week.minutes["all"] + sum(rate * week.minutes[kind] * share for kind, share in EXTRA.items())
        hours = {kind: f"{m // 60}:{m % 60:02d}" for kind, m in sorted(week.minutes.items()) if m}
        return {"worker": worker, "hours": hours, "pay": str(pay.quantize(self.cent, ROUND_HALF_UP)), "problems": week.problems}
