"""Leases on questions: who claims one has it to itself for so long, and a lease that ends unanswered is silence.

A program that was asked may die. Without a lease its question would wait for ever; with one the negotiation goes on,
and silence is never a yes. Time is asked of the clock that is given, so that a test needs none.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from graphbus_core.errors import UsageError

LEAST_S, MOST_S, USUAL_S = 1.0, 3_600.0, 300.0


class Claimed(UsageError):
    """The question is somebody's for now."""


class LeaseEnded(UsageError):
    """Whoever claimed the question let its time pass."""


@dataclass
class Lease:
    """`token` is known to whoever claimed the question, and to nobody else. `until` on the clock of the leases."""

    token: str
    question: str
    seconds: float
    until: float


class Leases:
    """Of the questions of one desk. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_question: dict[str, Lease] = {}
        self._lock = threading.Lock()

    def claim(self, question: str, seconds: float) -> Lease | None:
        """A lease on a question; None where somebody has one."""
        seconds = min(max(seconds, LEAST_S), MOST_S)
        with self._lock:
            if question in self._by_question:
                return None
            made = Lease(secrets.token_urlsafe(18), question, seconds, self._clock() + seconds)
            self._by_question[question] = made
            return made

    def renew(self, token: str) -> Lease | None:
        """The lease, from now on for as long as it was claimed for; None where it ended."""
        with self._lock:
            found = self._found(token)
            if found is not None:
                found.until = self._clock() + found.seconds
            return found

    def of(self, token: str) -> Lease | None:
        """The lease of this token, while it lasts."""
        with self._lock:
            return self._found(token)

    def left_s(self, question: str) -> float | None:
        """How long the lease on a question still lasts, 0 where it has ended; None where nobody has claimed it."""
        with self._lock:
            found = self._by_question.get(question)
            return None if found is None else max(0.0, found.until - self._clock())

    def end(self, question: str) -> None:
        """The question is answered, given back, or over."""
        with self._lock:
            self._by_question.pop(question, None)

    def _found(self, token: str) -> Lease | None:
        # Compared in constant time: a token is a key.
        fits = (one for one in self._by_question.values() if secrets.compare_digest(one.token, token))
        return next((one for one in fits if one.until > self._clock()), None)
