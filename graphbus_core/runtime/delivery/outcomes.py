"""What follows from a verdict: counts, the log, dead letters, what the journal keeps as done.

Nobody else writes a dead letter. What goes wrong with keeping one is logged, and stops no delivery.
"""

from __future__ import annotations

import logging
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.handling import plan as plans
from graphbus_core.runtime.handling.checks import rejection
from graphbus_core.runtime.handling.handlers import Exhausted, with_own_payload
from graphbus_core.runtime.handling.middleware import hidden_values, without
from graphbus_core.runtime.handling.plan import Plan
from graphbus_core.runtime.handling.subscriber import DONE, Ruling, Subscriber, Verdict
from graphbus_core.runtime.handling.topics import labelled

if TYPE_CHECKING:
    from graphbus_core.runtime.delivery.frames import Queued

log = logging.getLogger("graphbus.runtime")
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failed:
    """What running a plan gave where a handler raised. Made in an `except`, and looked at outside of it."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Violated(Exception):
    """A payload broke its topic's contract, and that is enforced. Never leaves the machine."""

    def __init__(self, violation: Any) -> None:
        super().__init__(str(violation))
        self.violation = violation


class Outcomes:
    """Keeps what became of deliveries, for one bus."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def settle(self, topic: str, subscriber: Subscriber, event: Event, verdict: Verdict = DONE) -> None:
        """A delivery is over, one way or the other. `topic` is where it was published: middleware may say another."""
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            self._core.tally.failed(topic)
            self.bury(event, self.label(subscriber, event), verdict.error, "stopped")
            if self._core.ledger is not None:
                self._core.ledger.interrupted(subscriber)
            return  # not done: with a journal it is delivered again
        if verdict.ruling is Ruling.DEAD:
            assert verdict.error is not None
            self.failed(topic, subscriber, event, verdict.error, verdict.attempts, verdict.reason)
        if self._core.ledger is not None:
            self._core.ledger.done(event, subscriber)

    def failed(
        self,
        topic: str,
        subscriber: Subscriber,
        event: Event,
        error: BaseException,
        attempts: int = 1,
        reason: str = "handler",
    ) -> None:
        """Count, log and keep a delivery that failed for good."""
        self._core.tally.failed(topic)
        if isinstance(error, Exhausted):
            attempts, event, error = error.attempts, error.event, error.error
        kind = type(error).__name__
        try:
            said = repr(error)
        except Exception:  # an error that cannot say what it is
            said = f"{kind} (its text cannot be made)"
        told: Any = (type(error), error, own_traceback(error))
        log.error("%s failed on %s (%s): %s", subscriber.name, event.topic, event.event_id, said, exc_info=told)
        reason = "payload" if isinstance(error, PayloadRejected) else reason
        self.bury(event, self.label(subscriber, event), error, reason, count=attempts)

    def dropped(self, queued: Queued, why: str, *, final: bool = False) -> None:
        """A queued event reaches nobody. Where that is not final, a journal has it delivered by the next run."""
        plan, event = queued
        if final and self._core.ledger is not None:
            self._core.ledger.dropped(event, plan.subscribers)
        self._core.tally.dropped(event.topic, plan.n)
        self.bury(event, "(queue)", why, "queue" if final else "stopped")

    def refused(self, plan: Plan, event: Event, violation: Any) -> PayloadRejected:
        """An enforced check refuses an event that is published already: count it, keep it, give the error to raise."""
        core = self._core
        core.tally.reject(event.topic, plan.n)
        if core.ledger is not None:
            core.ledger.refused(event.event_id)
        error = rejection(event.topic, violation)
        self.bury(event, "(payload check)", error, "payload")
        return error

    def violated(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A payload broke a contract: count it and keep it."""
        self._core.tally.violated()
        self.bury(event, where, error, "payload", delivered=not self._core.checks.enforced)

    def input_broken(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A payload broke a handler's own input contract."""
        if self._core.checks.enforced:
            self._core.tally.violated()  # it becomes a dead letter as any failure of the handler does
            return
        self.violated(event, where, error)
        log.warning("payload check: %s", error)

    def label(self, subscriber: Subscriber, event: Event) -> str:
        """The subscriber's name in dead letters: with its number where several of one name hear the event."""
        return labelled(subscriber, self._core.subscribers(event.topic))

    def bury(self, event: Event, subscriber: str, error: BaseException | str, reason: str, **more: Any) -> None:
        """Keep a dead letter, with the payload of now. What goes wrong with that is logged: it stops nobody."""
        if reason == "stopped" and self._core.ledger is not None:
            return  # the next run delivers it: who retried a letter would deliver it twice
        try:
            error = _with_text(error)
            shown = self._core.shown(event)
            if hidden := hidden_values(event.payload, shown.payload):
                more |= {"redacted": True, "clean": lambda text: without(text, hidden)}
            self._core.dead_letters.add(with_own_payload(shown), subscriber, error, reason=reason, **more)
        except Exception as e:
            log.error("a dead letter of %s could not be stored: %s: %s", event.topic, type(e).__name__, e)


def own_traceback(error: BaseException) -> TracebackType | None:
    """The traceback from the handler on: what the bus did before is nothing that its author wants to read."""
    step = error.__traceback__
    while step is not None and _is_ours(step.tb_frame.f_code.co_filename):
        step = step.tb_next
    return step or error.__traceback__


def _is_ours(file: str) -> bool:
    return file == plans.FILE or file.startswith(_OURS)


def _with_text(error: BaseException | str) -> BaseException | str:
    """The error, or one of the same name with a text, where it cannot say its own."""
    try:
        str(error)
    except Exception as e:
        kind = type(error).__name__
        speaking: type[Exception] = type(kind, (Exception,), {})
        return speaking(f"{kind}, whose text cannot be made: {type(e).__name__}")
    return error
