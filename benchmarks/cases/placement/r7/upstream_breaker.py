# stateful
"""Counts failures in a row in a class attribute and opens the breaker."""
import re
from email.utils import parsedate_to_datetime
from enum import Enum, auto

from graphbus_core import GraphBusNode, subscribe


class Outcome(Enum):
    SUCCESS = auto()
    TRANSIENT = auto()
    FATAL = auto()


def classify(status: int) -> Outcome:
    if status < 400:
        return Outcome.SUCCESS
    if status in (408, 425, 429) or status >= 500:
        return Outcome.TRANSIENT
    return Outcome.FATAL


MAX_WAIT = 120
CACHE_AGE = re.compile(r"(?:^|,)\s*max-age=(\d+)")


def header(headers: dict[str, str], name: str) -> str:
    wanted = name.lower()
    return next((value for key, value in headers.items() if key.lower() == wanted), "")


def wait_seconds(headers: dict[str, str]) -> int:
    value = header(headers, "Retry-After").strip()
    if value.isdigit():
        return min(int(value), MAX_WAIT)
    try:
        gap = parsedate_to_datetime(value) - parsedate_to_datetime(header(headers, "Date"))
    except (TypeError, ValueError):
        return 5
    return max(0, min(int(gap.total_seconds()), MAX_WAIT))


def fresh_for(headers: dict[str, str]) -> int:
    found = CACHE_AGE.search(header(headers, "Cache-Control"))
    return int(found[1]) if found else 0


class Policy:
    tolerance = 3
    failures = 0

    @classmethod
    def note(cls, outcome: Outcome) -> None:
        if outcome is Outcome.TRANSIENT:
            cls.failures += 1
        elif outcome is Outcome.SUCCESS:
            cls.failures = 0

    @classmethod
    def is_open(cls) -> bool:
        return cls.failures >= cls.tolerance


class Upstream(GraphBusNode):
    policy = Policy

    @subscribe("/upstream/answer")
    def on_answer(self, request: str, status: int, headers: dict[str, str]) -> dict[str, object]:
        outcome = classify(status)
        self.policy.note(outcome)
        retry = outcome is Outcome.TRANSIENT and not self.policy.is_open()
        return {
            "request": request,
            "outcome": outcome.name.lower(),
            "retry": retry,
            "wait": wait_seconds(headers) if retry else None,
            "fresh": fresh_for(headers) if outcome is Outcome.SUCCESS else 0,
        }
