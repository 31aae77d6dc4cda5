"""One subscription, and the only place that decides what becomes of an event for it: `Subscriber.handle -> Verdict`.

It knows no bus, no thread and no queue. A transport (the bus in this process, NATS beyond it) makes the attempt,
asks for the verdict, and does what it says: go on, try again later, or bury a dead letter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol

from graphbus_core.errors import BadHandler, PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.handling.bounds import Aside, Bounds, bounded
from graphbus_core.runtime.handling.checks import rejection
from graphbus_core.runtime.handling.handlers import (
    Again,
    Exhausted,
    Form,
    Retry,
    form_of,
    is_async,
    retried,
    retried_async,
    taking_event,
    to_await,
)
from graphbus_core.runtime.handling.home import is_failure
from graphbus_core.runtime.handling.topics import named, why_no_subscription


class Ruling(StrEnum):
    """What is to be done with an event that a handler was given."""

    DONE = "done"  # never give it to this handler again
    AWAIT = "await"  # the handler gave something to await; `settle` knows more when that is over
    RETRY = "retry"  # give it again, after `after_s`
    DEAD = "dead"  # keep it as a dead letter, and never give it again by itself
    STOPPED = "stopped"  # whoever runs the handler is being stopped: raise `error` on


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling and its reason. `attempts` were made so far; `reason` is that of the dead letter."""

    ruling: Ruling
    error: BaseException | None = None
    after_s: float = 0.0
    attempts: int = 1
    reason: str = "handler"
    given: Awaitable[Any] | None = None


DONE = Verdict(Ruling.DONE)
NEVER = Retry()
UNBOUNDED = Bounds()


class Around(Protocol):
    """What a middleware with a method `around` puts around each attempt of a handler."""

    def __call__(self, durable: str, call: Callable[[Event], Any], *, asynchronous: bool) -> Callable[[Event], Any]: ...


def durable_name(name: str, handler: Any, topic: str) -> str:
    """From node, method and topic; a function that was given no name goes by its own."""
    if name == "unknown":
        name = f"{getattr(handler, '__module__', '')}.{getattr(handler, '__qualname__', 'handler')}"
    return f"{name} {topic}"


@dataclass(frozen=True, eq=False)
class Subscriber:
    """One subscription. `handler` is what was registered, `once` one checked and bounded attempt of it.

    `call` is what a plan calls, with what `form` says; `deliver` is the same, always given the event. Both make all
    attempts in this process, one after the other, and raise Exhausted after the last.
    """

    number: int  # order of registration, across topics and patterns
    topic: str
    name: str
    handler: Callable[..., Any]
    call: Callable[..., Any]
    deliver: Callable[[Event], Any]
    form: Form
    is_async: bool
    owner: object = None  # the node, where it is a node's method
    handler_name: str = ""
    retry: Retry | None = None
    once: Callable[[Event], Any] | None = None
    bounds: Bounds = UNBOUNDED

    @cached_property
    def durable(self) -> str:
        """The name under which done deliveries are kept: from node, method and topic, never from a position."""
        return durable_name(self.name, self.handler, self.topic)

    @property
    def attempts(self) -> int:
        """How many are made in all."""
        return self.retry.times + 1 if self.retry is not None else 1

    def handle(self, event: Event, attempt: int = 1) -> Verdict:
        """Make one attempt and say what becomes of the event for this handler. Raises nothing."""
        try:
            given = (self.once or self.deliver)(event)
        except BaseException as error:
            failure = error
        else:
            return Verdict(Ruling.AWAIT, given=given, attempts=attempt) if to_await(given) else DONE
        return self.judge(failure, attempt)  # not in the `except`: it is not part of the handler's failure

    async def ahandle(self, event: Event, attempt: int = 1) -> Verdict:
        """`handle`, with what the handler gives awaited: never AWAIT."""
        verdict = self.handle(event, attempt)
        return await self.settle(verdict) if verdict.given is not None else verdict

    async def settle(self, verdict: Verdict) -> Verdict:
        """Await what an AWAIT verdict holds, and say what became of it."""
        assert verdict.given is not None
        try:
            await verdict.given
        except BaseException as error:
            failure = error
        else:
            return DONE
        return self.judge(failure, verdict.attempts)

    def judge(self, error: BaseException, attempt: int) -> Verdict:
        """What a failure means. A payload that breaks its contract gets no better by waiting; all else may."""
        if isinstance(error, Exhausted):
            return Verdict(Ruling.DEAD, error, attempts=error.attempts, reason=_reason(error.error))
        if not is_failure(error):
            return Verdict(Ruling.STOPPED, error, attempts=attempt, reason="stopped")
        retry = self.retry or NEVER
        if attempt <= retry.times and not isinstance(error, PayloadRejected):
            return Verdict(Ruling.RETRY, error, retry.pause_s(attempt), attempt)
        return Verdict(Ruling.DEAD, error, attempts=attempt, reason=_reason(error))


def _reason(error: BaseException) -> str:
    return "payload" if isinstance(error, PayloadRejected) else "handler"


@dataclass(frozen=True)
class InputCheck:
    """A handler's own input contract: `violation_of(payload)`, and who is told of one that is only a warning."""

    violation_of: Callable[[Any], Any]
    enforced: bool
    broken: Callable[[Event, str, PayloadRejected], None]

    def before(self, call: Callable[[Event], Any], name: str) -> Callable[[Event], Any]:
        """`call`, after the payload was held against the contract."""

        def handler(event: Event) -> Any:
            violation = self.violation_of(event.payload)
            if violation is not None:
                error = rejection(f"{name} on {event.topic}", violation)
                self.broken(event, f"{name} input", error)
                if self.enforced:
                    raise error
            return call(event)

        return handler


def subscriber_of(
    number: int,
    topic: Any,
    handler: Callable[..., Any],
    name: str,
    *,
    alone: Form,
    owner: object = None,
    handler_name: str = "",
    retry: Retry | None = None,
    bounds: Bounds | None = None,
    check: InputCheck | None = None,
    aside: Aside = lambda event, work: work,
    again: Again = lambda: None,
    around: Sequence[Around] = (),
) -> Subscriber:
    """Read a handler and wrap it in what it asks for: check inside, then bounds, then retries outside.

    Raises BadHandler for a topic that is not one, and for a handler that no event fits.
    """
    if not (wanted := named(topic)):
        raise BadHandler(
            f"{name} subscribes to {topic!r}, which is not a topic: give a name such as '/Order/Created', as text or "
            f"as a Topic."
        )
    if (why := why_no_subscription(wanted)) is not None:
        raise BadHandler(
            f"{name} subscribes to '{wanted}', which is not a topic: {why}. Use '/Order/Created' or '/Order/*'."
        )
    form = form_of(handler, alone=alone, name=name)
    asynchronous = is_async(handler)
    call: Callable[..., Any] = handler
    if check is not None:
        call, form = check.before(taking_event(call, form), name), Form.EVENT
    if bounds:
        call, form = bounded(taking_event(call, form), bounds, name, asynchronous=asynchronous, aside=aside), Form.EVENT
    once = taking_event(call, form)
    for wrap in around:
        once = call = wrap(durable_name(name, handler, wanted), once, asynchronous=asynchronous)
        form = Form.EVENT
    if retry is not None and retry.times:
        call, form = (retried_async if asynchronous else retried)(once, retry, again), Form.EVENT
    return Subscriber(
        number,
        wanted,
        name,
        handler,
        call,
        taking_event(call, form),
        form,
        asynchronous,
        owner,
        handler_name,
        retry,
        once,
        bounds or UNBOUNDED,
    )
