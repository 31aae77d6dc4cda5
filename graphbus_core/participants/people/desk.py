"""A desk of open questions, answered from outside: by a person in the browser, or by a program over HTTP.

A question stays on the desk until it is answered or taken back. The desk is bounded, and safe to use from any thread:
the negotiation waits in one event loop, the answer comes from another.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.core import Ask, Json, Reply, View

# Leases on questions: who claims one has it to itself for so long, and a lease that ends unanswered is silence.
#
# A program that was asked may die. Without a lease its question would wait for ever; with one the negotiation goes on,
# and silence is never a yes. Time is asked of the clock that is given, so that a test needs none.


LEAST_S, MOST_S, USUAL_S = 1.0, 3_600.0, 300.0


class QuestionClaimed(UsageError):
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
            lease = Lease(secrets.token_urlsafe(18), question, seconds, self._clock() + seconds)
            self._by_question[question] = lease
            return lease

    def renew(self, token: str) -> Lease | None:
        """The lease, from now on for as long as it was claimed for; None where it ended."""
        with self._lock:
            lease = self._find_by_token(token)
            if lease is not None:
                lease.until = self._clock() + lease.seconds
            return lease

    def find(self, token: str) -> Lease | None:
        """The lease of this token, while it lasts."""
        with self._lock:
            return self._find_by_token(token)

    def remaining_s(self, question: str) -> float | None:
        """How long the lease on a question still lasts, 0 where it has ended; None where nobody has claimed it."""
        with self._lock:
            lease = self._by_question.get(question)
            return None if lease is None else max(0.0, lease.until - self._clock())

    def end(self, question: str) -> None:
        """The question is answered, given back, or over."""
        with self._lock:
            self._by_question.pop(question, None)

    def _find_by_token(self, token: str) -> Lease | None:
        # Compared in constant time: a token is a key.
        fits = (lease for lease in self._by_question.values() if secrets.compare_digest(lease.token, token))
        return next((lease for lease in fits if lease.until > self._clock()), None)


MAX_OPEN = 1_000
LOOK_S = 0.5  # how often a question looks whether its lease has ended

Checker = Callable[[Ask, Json], str | None]
Observer = Callable[[str, Mapping[str, Any]], object]

ANSWER_SCHEMAS: dict[str, dict[str, Any]] = {
    "approve": {
        "type": "object",
        "properties": {"approve": {"type": "boolean"}, "reason": {"type": "string"}},
        "required": ["approve"],
    },
    "choose": {
        "type": "object",
        "properties": {"choice": {"type": "string"}, "reason": {"type": "string"}},
        "required": ["choice"],
    },
    "evaluate": {
        "type": "object",
        "properties": {
            "decision": {"enum": ["accept", "accept_with_modification", "counter", "reject", "defer"]},
            "reasoning": {"type": "string"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "counter_proposal": {"type": ["object", "null"]},
        },
        "required": ["decision", "reasoning"],
    },
    "propose": {
        "type": "object",
        "properties": {"proposals": {"type": "array", "items": {"type": "object"}}},
        "required": ["proposals"],
    },
    "arbitrate": {
        "type": "object",
        "properties": {
            "decision": {"enum": ["accept", "accept_modified", "reject", "split"]},
            "ruling": {"type": "string"},
            "proposal_id": {"type": "string"},
            "committed_diff": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["decision", "ruling"],
    },
}


@dataclass
class OpenQuestion:
    """One question that waits. `answer_schema` describes the answer that it takes."""

    ask: Ask
    answer_schema: Mapping[str, Any]
    refused: tuple[str, ...] = ()
    future: Future[Json] = field(default_factory=Future, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The form in which a front end gets it."""
        return {
            "id": self.ask.id,
            "to": self.ask.to,
            "kind": self.ask.kind,
            "about": dict(self.ask.about),
            "answer_schema": dict(self.answer_schema),
            "refused": list(self.refused),
        }


class Desk:
    """Open questions by id. `check` judges an answer before it is taken; `observe` is told of each change."""

    def __init__(self, check: Checker | None = None, observe: Observer | None = None, max_open: int = MAX_OPEN) -> None:
        self.check = check
        self.observe: Observer = observe or (lambda kind, data: None)
        self.max_open = max_open
        self.leases = Leases()
        self._open: dict[str, OpenQuestion] = {}
        self._lock = threading.Lock()

    def list_open(self) -> list[OpenQuestion]:
        """What waits, oldest first."""
        with self._lock:
            return list(self._open.values())

    def add(self, ask: Ask, refused: tuple[str, ...] = ()) -> OpenQuestion:
        """Lay a question on the desk. Raises UsageError when the desk is full."""
        schema = ask.about.get("answer_schema") or ANSWER_SCHEMAS.get(ask.kind) or {"type": "object"}
        question = OpenQuestion(ask, schema, refused)
        with self._lock:
            if len(self._open) >= self.max_open:
                raise UsageError(f"{self.max_open} questions are open already; answer some before asking more.")
            self._open[ask.id] = question
        self.observe("question", {"id": ask.id, "to": ask.to, "kind": ask.kind})
        return question

    def find(self, question_id: str) -> OpenQuestion | None:
        """One that waits; None where it is not open."""
        with self._lock:
            return self._open.get(question_id)

    def claim(
        self, to: str | None, seconds: float, may: Callable[[Ask], bool] = lambda ask: True
    ) -> tuple[OpenQuestion, Lease] | None:
        """The oldest open question that nobody has claimed, of one agent or of anybody; None where there is none.
        `may` says which of them this caller may have."""
        for question in self.list_open():
            if not may(question.ask):
                continue
            if to in (None, question.ask.to) and (lease := self.leases.claim(question.ask.id, seconds)) is not None:
                if question.future.done():  # answered in the meantime
                    self.leases.end(question.ask.id)
                    continue
                return question, lease
        return None

    def answer(self, question_id: str, body: Json, lease: str = "") -> None:
        """Answer a question. Raises KeyError for one that is not open, UsageError for an answer that is not one,
        Claimed for one on which another has a lease."""
        if self.leases.remaining_s(question_id):
            mine = self.leases.find(lease)
            if mine is None or mine.question != question_id:
                raise QuestionClaimed(
                    f"{question_id} was claimed; answer another, or this one when the lease has ended."
                )
        with self._lock:
            question = self._open.get(question_id)
        if question is None:
            raise KeyError(question_id)
        why = self.check(question.ask, body) if self.check else None
        if why is not None:
            raise UsageError(why)
        if self._take(question_id) is not None:
            question.future.set_result(body)

    def _take(self, question_id: str) -> OpenQuestion | None:
        with self._lock:
            question = self._open.pop(question_id, None)
        if question is not None:
            self.leases.end(question_id)
            self.observe("answered", {"id": question_id})
        return question

    async def wait(self, question: OpenQuestion) -> Json:
        """The answer, as soon as there is one. When cancelled, the question leaves the desk. Raises LeaseEnded where
        whoever claimed it let the time pass: the negotiation does not wait for a program that died."""
        future = asyncio.wrap_future(question.future)
        try:
            while not future.done():
                remaining = self.leases.remaining_s(question.ask.id)
                if remaining == 0 and self._take(question.ask.id) is not None:  # else an answer is on its way
                    raise LeaseEnded("it was claimed, and the lease ended without an answer")
                await asyncio.wait({future}, timeout=LOOK_S if remaining is None else min(remaining, LOOK_S))
            return future.result()
        finally:
            future.cancel()
            self._take(question.ask.id)


class DeskParticipant:
    """A seat whose questions lie on a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Wait for whoever answers; a full desk is silence with its reason."""
        try:
            question = self.desk.add(ask, view.refused)
        except UsageError as e:
            return Reply(None, str(e))
        try:
            return Reply(await self.desk.wait(question))
        except LeaseEnded as e:
            return Reply(None, str(e))
