# pure
"""Compiled schedules are cached by their text; whether one is due follows from the minute in the event."""
from datetime import datetime
from functools import cache
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 6))
NAMES = {name: str(i) for i, name in enumerate("sun mon tue wed thu fri sat".split())}
ALIASES = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0"}


class Schedule(NamedTuple):
    minute: frozenset[int]
    hour: frozenset[int]
    day: frozenset[int]
    month: frozenset[int]
    weekday: frozenset[int]
    either_day: bool

    def due(self, at: datetime) -> bool:
        if at.minute not in self.minute or at.hour not in self.hour or at.month not in self.month:
            return False
        by_day = at.day in self.day
        by_weekday = at.isoweekday() % 7 in self.weekday
        return (by_day or by_weekday) if self.either_day else (by_day and by_weekday)


def expand(text: str, low: int, high: int) -> frozenset[int]:
    values: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        if span == "*":
            first, last = low, high
        else:
            begin, _, end = span.partition("-")
            first = int(NAMES.get(begin, begin))
            last = int(NAMES.get(end, end)) if end else (high if step else first)
        if not low <= first <= last <= high:
            raise ValueError(f"{part!r} out of range")
        values.update(range(first, last + 1, int(step or 1)))
    return frozenset(values)


@cache
def compile_schedule(line: str) -> Schedule:
    parts = ALIASES.get(line, line).lower().split()
    if len(parts) != len(FIELDS):
        raise ValueError("five fields needed")
    sets = [expand(part, low, high) for part, (_, low, high) in zip(parts, FIELDS)]
    return Schedule(*sets, either_day=parts[2] != "*" and parts[4] != "*")


class Crontab(GraphBusNode):
    @subscribe("/cron/minute")
    def on_minute(self, minute: str, jobs: dict[str, str]) -> dict[str, object]:
        at = datetime.fromisoformat(minute)
        due: list[str] = []
        broken: dict[str, str] = {}
        for job, line in sorted(jobs.items()):
            try:
                if compile_schedule(line.strip()).due(at):
                    due.append(job)
            except ValueError as problem:
                broken[job] = str(problem)
        return {"due": due, "broken": broken}
