"""What follows from a verdict: counts, the log, dead letters, what the journal keeps as done.

Nobody else writes a dead letter. What goes wrong with keeping one is logged, and stops no delivery.
"""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import PayloadRejected, RuntimeFault, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import get_running_loop, is_failure
from graphbus_core.runtime.delivery import plan as plans
from graphbus_core.runtime.delivery.core import BusCore
from graphbus_core.runtime.delivery.plan import DeliveryPlan
from graphbus_core.runtime.middleware import find_hidden_values, hide_values
from graphbus_core.runtime.payloads import build_rejection
from graphbus_core.runtime.persistence.dead_letters import has_hidden_fields
from graphbus_core.runtime.subscriptions.handlers import RetriesExhausted, close_awaitable, copy_with_payload
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Subscriber, Verdict, determine_reason
from graphbus_core.runtime.topics import label_subscriber

if TYPE_CHECKING:
    from graphbus_core.runtime.delivery.core import Causation
    from graphbus_core.runtime.delivery.frames import Queued
    from graphbus_core.runtime.persistence.dead_letters import DeadLetter

log = logging.getLogger("graphbus.runtime")
_RUNTIME_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class PlanFailure:
    """What running a plan gave where a handler raised. Made in an `except`, and looked at outside of it."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class ContractViolation(Exception):
    """A payload broke its topic's contract, and that is enforced. Never leaves the machine."""

    def __init__(self, violation: Any) -> None:
        super().__init__(str(violation))
        self.violation = violation


class Outcomes:
    """Keeps what became of deliveries, for one bus."""

    def __init__(self, core: BusCore) -> None:
        self._core = core

    def settle(self, topic: str, subscriber: Subscriber, event: Event, verdict: Verdict = DONE) -> None:
        """A delivery is over, one way or the other. `topic` is where it was published: middleware may say another."""
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            self._core.tally.count_failed(topic)
            self.dead_letter(event, self.build_label(subscriber, event), verdict.error, "stopped")
            if self._core.ledger is not None:
                self._core.ledger.record_interruption(subscriber)
            return  # not done: with a journal it is delivered again
        if verdict.ruling is Ruling.DEAD:
            assert verdict.error is not None
            self.record_failure(topic, subscriber, event, verdict.error, verdict.attempts, verdict.reason)
        if self._core.ledger is not None:
            self._core.ledger.mark_done(event, subscriber)

    def record_failure(
        self,
        topic: str,
        subscriber: Subscriber,
        event: Event,
        error: BaseException,
        attempts: int = 1,
        reason: str = "handler",
    ) -> None:
        """Count, log and keep a delivery that failed for good."""
        self._core.tally.count_failed(topic)
        if isinstance(error, RetriesExhausted):
            attempts, event, error = error.attempts, error.event, error.error
        kind = type(error).__name__
        try:
            error_text = repr(error)
        except Exception:  # an error that cannot say what it is
            error_text = f"{kind} (its text cannot be made)"
        exc_info: Any = (type(error), error, trim_traceback(error))
        log.error(
            "%s failed on %s (%s): %s", subscriber.name, event.topic, event.event_id, error_text, exc_info=exc_info
        )
        reason = determine_reason(error, reason)
        self.dead_letter(event, self.build_label(subscriber, event), error, reason, count=attempts)

    def record_drop(self, queued: Queued, why: str, *, final: bool = False) -> None:
        """A queued event reaches nobody. Where that is not final, a journal has it delivered by the next run."""
        plan, event = queued
        if final and self._core.ledger is not None:
            self._core.ledger.record_drop(event, plan.subscribers)
        self._core.tally.count_dropped(event.topic, plan.n)
        self.dead_letter(event, "(queue)", why, "queue" if final else "stopped")

    def refuse_event(self, plan: DeliveryPlan, event: Event, violation: Any) -> PayloadRejected:
        """An enforced check refuses an event that is published already: count it, keep it, give the error to raise."""
        core = self._core
        core.tally.count_rejected(event.topic, plan.n)
        if core.ledger is not None:
            core.ledger.record_refusal(event.event_id)
        error = build_rejection(event.topic, violation)
        self.dead_letter(event, "(payload check)", error, "payload")
        return error

    def record_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A payload broke a contract: count it and keep it."""
        self._core.tally.count_violation()
        self.dead_letter(event, where, error, "payload", delivered=not self._core.checks.is_enforced)

    def report_input_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A payload broke a handler's own input contract."""
        if self._core.checks.is_enforced:
            self._core.tally.count_violation()  # it becomes a dead letter as any failure of the handler does
            return
        self.record_violation(event, where, error)
        log.warning("payload check: %s", error)

    def build_label(self, subscriber: Subscriber, event: Event) -> str:
        """The subscriber's name in dead letters: with its number where several of one name hear the event."""
        return label_subscriber(subscriber, self._core.find_subscribers(event.topic))

    def dead_letter(self, event: Event, subscriber: str, error: BaseException | str, reason: str, **more: Any) -> None:
        """Keep a dead letter, with the payload of now. What goes wrong with that is logged: it stops nobody."""
        if reason == "stopped" and self._core.ledger is not None:
            return  # the next run delivers it: who retried a letter would deliver it twice
        try:
            error = _ensure_text(error)
            redacted = self._core.redact(event)
            if hidden := find_hidden_values(event.payload, redacted.payload):
                more |= {"redacted": True, "clean": lambda text: hide_values(text, hidden)}
            self._core.dead_letters.add(copy_with_payload(redacted), subscriber, error, reason=reason, **more)
        except Exception as e:
            log.error("a dead letter of %s could not be stored: %s: %s", event.topic, type(e).__name__, e)


def trim_traceback(error: BaseException) -> TracebackType | None:
    """The traceback from the handler on: what the bus did before is nothing that its author wants to read."""
    step = error.__traceback__
    while step is not None and _is_bus_code(step.tb_frame.f_code.co_filename):
        step = step.tb_next
    return step or error.__traceback__


def _is_bus_code(file: str) -> bool:
    return file == plans.PLAN_FILE or file.startswith(_RUNTIME_FOLDER)


def _ensure_text(error: BaseException | str) -> BaseException | str:
    """The error, or one of the same name with a text, where it cannot say its own."""
    try:
        str(error)
    except Exception as e:
        kind = type(error).__name__
        speaking: type[Exception] = type(kind, (Exception,), {})
        return speaking(f"{kind}, whose text cannot be made: {type(e).__name__}")
    return error


# The middleware around a delivery, and the foreign dispatcher beside it.


class MiddlewareStack:
    """The middleware of one bus, outermost first."""

    def __init__(self, core: BusCore, outcomes: Outcomes) -> None:
        self._core = core
        self._outcomes = outcomes

    def run(self, plan: DeliveryPlan, event: Event, final: Callable[[Event], Any]) -> Any:
        """Call the middleware with `final` at the end. Counts what it does not hand on."""
        tally = self._core.tally
        reached = 0

        def reach_end(handed_on: Event) -> Any:
            nonlocal reached
            if not isinstance(handed_on, Event):
                raise TypeError(f"middleware called next({handed_on!r}), and must hand on an Event")
            reached += 1
            if reached > 1:
                tally.count_begun(plan.topic, plan.n)
            return final(handed_on)

        call: Callable[[Event], Any] = reach_end
        for middleware in reversed(self._core.middleware):
            call = _bind_next(middleware, call)

        def settle(error: Exception | None) -> None:
            if error is not None:
                log.error("middleware failed on %s: %r", event.topic, error, exc_info=error)
                if not reached:
                    tally.count_failed(plan.topic, plan.n)
                    self._outcomes.dead_letter(event, "(middleware)", error, "middleware")
                    self._mark_done(plan, event)
            elif not reached:
                tally.count_dropped(plan.topic, plan.n)
                self._mark_done(plan, event)

        try:
            result = call(event)
        except PayloadRejected:
            raise
        except Exception as error:
            settle(error)
            return None
        if inspect.isawaitable(result):
            return _settle_async(result, settle)
        settle(None)
        return result

    def _mark_done(self, plan: DeliveryPlan, event: Event) -> None:
        """The middleware kept the event from everybody: that is its last word, also after a crash."""
        if self._core.ledger is not None:
            for subscriber in plan.subscribers:
                self._core.ledger.mark_done(event, subscriber)

    def notify_dispatcher(self, event: Event) -> None:
        """Hand the event to a foreign dispatcher, too (seed 002 §5.3)."""
        try:
            self._core.dispatcher.dispatch_event(event)
        except Exception as error:
            log.error("the dispatcher failed on %s: %r", event.topic, error, exc_info=error)


def _bind_next(middleware: Callable[[Event, Callable[[Event], Any]], Any], inner: Callable[[Event], Any]) -> Any:
    return lambda event: middleware(event, inner)


async def _settle_async(result: Awaitable[Any], settle: Callable[[Exception | None], None]) -> Any:
    try:
        value = await result
    except PayloadRejected:
        raise
    except Exception as error:
        settle(error)
        return None
    settle(None)
    return value


# Dead letters delivered once more: to the handler that failed, and to nobody who had the event already.


class _CannotWaitHere(RuntimeFault):
    def __init__(self) -> None:
        super().__init__(
            "The handler of this dead letter is async, and this is an event loop, which cannot wait for itself: write "
            "`await executor.aretry_dead_letters()`, or `await bus.aretry_dead_letter(letter)`."
        )


class Redelivery:
    """The retry of dead letters, for one bus."""

    def __init__(self, core: BusCore, causes: Causation) -> None:
        self._core = core
        self._causes = causes

    def retry(self, letter: DeadLetter, payload: dict[str, Any] | None = None) -> bool:
        """Deliver a dead letter once more, to the subscriber that failed; say whether it went well.

        `payload`: in the place of its own, which broke something. It must fit the topic's contract, also where payloads
        are not checked: UsageError says what does not. The letter keeps the payload that came, because nothing hides
        the fields of another one; the names of what was changed stand in its error, and in the log.

        A letter that never reached any subscriber goes to whoever listens now. It is kept, and the log says why, where
        nobody hears it, where its payload breaks a contract that is enforced, and where it is one of a direct call.
        Raises UsageError for one whose fields were hidden when it was kept: what they held is not known. Raises
        RuntimeFault in an event loop that would have to wait for itself: use `aretry` there.
        """
        targets = self._find_targets(letter, payload)
        # Looked at before anything is delivered: half of the handlers done and the other half refused is the worst
        # outcome.
        if get_running_loop() is not None and any(s.is_async for s in targets):
            raise _CannotWaitHere()
        event = _restore_event(letter, payload)
        for subscriber in targets:
            with self._causes.set_cause(event.event_id, subscriber.durable):
                verdict = subscriber.handle(event, subscriber.attempts)
            if verdict.given is not None:
                if get_running_loop() is not None:
                    # Closed, or Python warns of a coroutine that nobody awaited.
                    close_awaitable(verdict.given)
                    raise _CannotWaitHere()
                verdict = self._core.home.wait_for(subscriber.settle(verdict))
            if verdict.error is not None:
                return self._retry_failed(letter, verdict.error, payload)
        return self._finish_retry(letter, targets, payload)

    async def aretry(self, letter: DeadLetter, payload: dict[str, Any] | None = None) -> bool:
        """`retry` for async code: awaits the handler."""
        targets = self._find_targets(letter, payload)
        event = _restore_event(letter, payload)
        for subscriber in targets:
            with self._causes.set_cause(event.event_id, subscriber.durable):
                verdict = await subscriber.ahandle(event, subscriber.attempts)
            if verdict.error is not None:
                return self._retry_failed(letter, verdict.error, payload)
        return self._finish_retry(letter, targets, payload)

    def _find_targets(self, letter: DeadLetter, payload: dict[str, Any] | None) -> list[Subscriber]:
        """Who is to get it now; nobody where it has to stay, and the log says why."""
        if has_hidden_fields(payload) or (letter.redacted and payload is None):
            raise UsageError(
                f"The dead letter {letter.id} holds '***' where fields were hidden, and cannot be delivered again. "
                f"Retry it with a payload of the real values, or publish to {letter.topic}, then purge {letter.id}."
            )
        # A direct call is its caller's: it was told of the failure, and may have made it again.
        if letter.topic in (f"{letter.subscriber} input", f"{letter.subscriber} output"):
            return self._keep_letter(
                letter, "it is one of a direct call, which nobody waits for any more: make the call again"
            )
        subscribers = self._core.find_subscribers(letter.topic)
        # In brackets stands why nobody got it, and then no handler is named.
        never_delivered = letter.subscriber.startswith("(")
        targets = [s for s in subscribers if never_delivered or label_subscriber(s, subscribers) == letter.subscriber]
        if not targets:
            who = "nobody" if never_delivered else f"no '{letter.subscriber}'"
            return self._keep_letter(letter, f"{who} listens to {letter.topic} now")
        # Against the contract of today: a new build may have mended it, or broken it.
        checks = self._core.checks if payload is None else replace(self._core.checks, mode="enforce")
        check = checks.find_topic_check(letter.topic) if checks.is_enforced else None
        violation = check(letter.event["payload"] if payload is None else payload) if check is not None else None
        if violation is not None and payload is not None:
            raise UsageError(
                f"This payload does not fit the contract of {letter.topic}: {violation}. Nothing was delivered."
            )
        if violation is not None:
            self._core.dead_letters.record_retry_failure(letter, build_rejection(letter.topic, violation))
            return self._keep_letter(letter, f"its payload still breaks the contract: {violation}")
        return targets

    @staticmethod
    def _keep_letter(letter: DeadLetter, why: str) -> list[Subscriber]:
        log.warning("the dead letter %s stays: %s", letter.id, why)
        return []

    def _finish_retry(self, letter: DeadLetter, targets: list[Subscriber], payload: dict[str, Any] | None) -> bool:
        if not targets:
            return False
        if changed := list_changed_fields(letter, payload):
            log.warning("the dead letter %s was delivered with other fields: %s", letter.id, ", ".join(changed))
        # Counted when it went well, or each try would look like a new event.
        self._core.tally.count_begun(letter.topic, len(targets))
        self._core.dead_letters.remove(letter.id)
        return True

    def _retry_failed(self, letter: DeadLetter, error: BaseException, payload: dict[str, Any] | None) -> bool:
        if isinstance(error, _CannotWaitHere) or not is_failure(error):
            raise error
        # The cause and not the wrapper: who reads the letter wants the handler's own error.
        error = error.error if isinstance(error, RetriesExhausted) else error
        self._core.dead_letters.record_retry_failure(letter, error, list_changed_fields(letter, payload))
        log.error("retry of %s failed: %s", letter.id, type(error).__name__, exc_info=error)
        return False


def _restore_event(letter: DeadLetter, payload: dict[str, Any] | None) -> Event:
    return Event(**(letter.event if payload is None else {**letter.event, "payload": payload}))


def list_changed_fields(letter: DeadLetter, payload: Mapping[str, Any] | None) -> list[str]:
    """The names of the fields in which a payload differs from the one that a letter keeps."""
    before = letter.event["payload"]
    if payload is None or not isinstance(before, dict):
        return []
    fields = {*before, *payload}
    return sorted(k for k in fields if (k in before, before.get(k)) != (k in payload, payload.get(k)))
