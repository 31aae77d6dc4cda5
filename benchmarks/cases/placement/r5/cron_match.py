# pure
"""Keeps parsed expressions in a dictionary for speed; what is parsed depends on the expression only."""
from datetime import datetime
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))


class Plan(NamedTuple):
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    def matches(self, moment: datetime) -> bool:
        weekday = (moment.weekday() + 1) % 7
        parts = (moment.minute, moment.hour, moment.day, moment.month, weekday)
        return all(part in allowed for part, allowed in zip(parts, self))


def parse_field(text: str, low: int, high: int) -> frozenset[int]:
    allowed: set[int] = set()
    for piece in text.split(","):
        span, _, step = piece.partition("/")
        if span == "*":
            first, last = low, high
        else:
            a, _, b = span.partition("-")
            first, last = int(a), int(b or (high if step else a))
        if not low <= first <= last <= high:
            raise ValueError(piece)
        allowed.update(range(first, last + 1, int(step or 1)))
    return frozenset(allowed)


class CronMatch(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._plans: dict[str, Plan] = {}

    def _plan(self, expression: str) -> Plan:
        plan = self._plans.get(expression)
        if plan is None:
            fields = expression.split()
            if len(fields) != 5:
                raise ValueError("five fields")
            plan = Plan(*(parse_field(text, *limits) for text, limits in zip(fields, RANGES)))
            self._plans[expression] = plan
        return plan

    @subscribe("/Cron/Due")
    def on_due(self, job: str, expression: str, moment: str) -> str:
        try:
            due = self._plan(expression).matches(datetime.fromisoformat(moment))
        except ValueError as error:
            return f"{job}: bad plan ({error})"
        return f"{job}: {'run' if due else 'wait'}"
