"""One subscription, and the only place that decides what becomes of an event for it: `Subscriber.handle -> Verdict`.

It knows no bus, no thread and no queue. A transport (the bus in this process, NATS beyond it) makes the attempt,
asks for the verdict, and does what it says: go on, try again later, or bury a dead letter.
"""

from __future__ import annotations

import itertools
from bisect import insort
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import Any, Protocol

from graphbus_core.errors import BadHandler, MappingFailed, PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import is_failure
from graphbus_core.runtime.payloads import build_rejection
from graphbus_core.runtime.subscriptions.field_mappings import DeliveryMapping
from graphbus_core.runtime.subscriptions.handlers import (
    BeforeRetry,
    Bounds,
    Form,
    RetriesExhausted,
    Retry,
    ThreadWrapper,
    apply_bounds,
    apply_retry,
    apply_retry_async,
    convert_to_event_handler,
    detect_form,
    is_async,
    is_awaitable,
)
from graphbus_core.runtime.subscriptions.key_order import KeyOrder
from graphbus_core.runtime.topics import compile_pattern, explain_invalid_subscription, get_topic_name, is_pattern


class Ruling(StrEnum):
    """What is to be done with an event that a handler was given."""

    DONE = "done"  # never give it to this handler again
    AWAIT = "await"  # the handler gave something to await; `settle` knows more when that is over
    RETRY = "retry"  # give it again, after `after_s`
    DEAD = "dead"  # keep it as a dead letter, and never give it again by itself
    STOPPED = "stopped"  # whoever runs the handler is being stopped: raise `error` on


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling and its reason. `attempts` were made so far that count; `reason` is that of the dead letter."""

    ruling: Ruling
    error: BaseException | None = None
    after_s: float = 0.0
    attempts: int = 1
    reason: str = "handler"
    given: Awaitable[Any] | None = None


DONE = Verdict(Ruling.DONE)
NO_RETRY = Retry()
UNBOUNDED = Bounds()
KEYED_AT_ONCE = 64  # keys that a handler works on, where it says no `concurrency`


class AttemptWrapper(Protocol):
    """What a middleware with a method `around` puts around each attempt of a handler."""

    def __call__(self, durable: str, call: Callable[[Event], Any], *, asynchronous: bool) -> Callable[[Event], Any]: ...


def derive_durable_name(name: str, handler: Any, topic: str) -> str:
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
    order: KeyOrder | None = None

    @property
    def at_once(self) -> int:
        """How many events may be with it, where they would wait for each other otherwise."""
        return self.bounds.concurrency or (KEYED_AT_ONCE if self.order is not None else 1)

    @property
    def key(self) -> str | None:
        """The field whose events it takes in order."""
        return self.order.field if self.order is not None else None

    @cached_property
    def durable(self) -> str:
        """The name under which done deliveries are kept: from node, method and topic, never from a position."""
        return derive_durable_name(self.name, self.handler, self.topic)

    @property
    def attempts(self) -> int:
        """How many are made in all."""
        return self.retry.times + 1 if self.retry is not None else 1

    def handle(self, event: Event, attempt: int = 1) -> Verdict:
        """Make one attempt and say what becomes of the event for this handler. Raises nothing."""
        try:
            returned = (self.once or self.deliver)(event)
        except BaseException as error:
            failure = error
        else:
            return Verdict(Ruling.AWAIT, given=returned, attempts=attempt) if is_awaitable(returned) else DONE
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
        if isinstance(error, RetriesExhausted):
            return Verdict(Ruling.DEAD, error, attempts=error.attempts, reason=determine_reason(error.error))
        if not is_failure(error):
            return Verdict(Ruling.STOPPED, error, attempts=attempt, reason="stopped")
        retry = self.retry or NO_RETRY
        if attempt <= retry.times and not isinstance(error, PayloadRejected):
            return Verdict(Ruling.RETRY, error, retry.pause_s(attempt), attempt)
        return Verdict(Ruling.DEAD, error, attempts=attempt, reason=determine_reason(error))


def determine_reason(error: BaseException | str, otherwise: str = "handler") -> str:
    """The reason of a dead letter, as far as the error tells it."""
    if isinstance(error, MappingFailed):
        return "mapping"
    return "payload" if isinstance(error, PayloadRejected) else otherwise


@dataclass(frozen=True)
class InputCheck:
    """A handler's own input contract: `violation_of(payload)`, and who is told of one that is only a warning."""

    violation_of: Callable[[Any], Any]
    enforced: bool
    broken: Callable[[Event, str, PayloadRejected], None]

    def wrap(self, call: Callable[[Event], Any], name: str) -> Callable[[Event], Any]:
        """`call`, after the payload was held against the contract."""

        def handler(event: Event) -> Any:
            violation = self.violation_of(event.payload)
            if violation is not None:
                error = build_rejection(f"{name} on {event.topic}", violation)
                self.broken(event, f"{name} input", error)
                if self.enforced:
                    raise error
            return call(event)

        return handler


def _read_topic(topic: Any, name: str) -> str:
    """The name of what is subscribed to. Raises BadHandler where it is not a topic."""
    if not (topic_name := get_topic_name(topic)):
        raise BadHandler(
            f"{name} subscribes to {topic!r}, which is not a topic: give a name such as '/Order/Created', as text or "
            f"as a Topic."
        )
    if (why := explain_invalid_subscription(topic_name)) is not None:
        raise BadHandler(
            f"{name} subscribes to '{topic_name}', which is not a topic: {why}. Use '/Order/Created' or '/Order/*'."
        )
    return topic_name


def create_subscriber(
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
    mapping: DeliveryMapping | None = None,
    order: KeyOrder | None = None,
    aside: ThreadWrapper = lambda event, work: work,
    again: BeforeRetry = lambda: None,
    around: Sequence[AttemptWrapper] = (),
) -> Subscriber:
    """Read a handler and wrap it in what it asks for: the check inside, then mapping, bounds, and retries outside.

    Raises BadHandler for a topic that is not one, and for a handler that no event fits.
    """
    topic_name = _read_topic(topic, name)
    form = detect_form(handler, alone=alone, name=name)
    asynchronous = is_async(handler)
    call: Callable[..., Any] = handler
    if check is not None:
        call, form = check.wrap(convert_to_event_handler(call, form), name), Form.EVENT
    if mapping is not None:
        call, form = mapping.wrap(convert_to_event_handler(call, form), name), Form.EVENT
    if bounds:
        call, form = (
            apply_bounds(convert_to_event_handler(call, form), bounds, name, asynchronous=asynchronous, aside=aside),
            Form.EVENT,
        )
    once = convert_to_event_handler(call, form)
    for wrap in around:
        once = call = wrap(derive_durable_name(name, handler, topic_name), once, asynchronous=asynchronous)
        form = Form.EVENT
    if retry is not None and retry.times:
        call, form = (apply_retry_async if asynchronous else apply_retry)(once, retry, again), Form.EVENT
    if order is not None:  # around all attempts: who is tried again is not overtaken
        call, form = order.wrap(convert_to_event_handler(call, form), name), Form.EVENT
    return Subscriber(
        number,
        topic_name,
        name,
        handler,
        call,
        convert_to_event_handler(call, form),
        form,
        asynchronous,
        owner,
        handler_name,
        retry,
        once,
        bounds or UNBOUNDED,
        order,
    )


# Who subscribed to what. A new topic is looked up in as many steps as it has segments and subscribers.
#
# Topics stand in a dict, patterns in a tree of segments: ten thousand other subscriptions cost a first publish nothing.


_number = attrgetter("number")


class _PatternNode:
    """The patterns that go on from here: by whole segment, by segment with a `*`, and over any number (`**`)."""

    __slots__ = ("any_number", "ends", "globs", "words")

    def __init__(self) -> None:
        self.words: dict[str, _PatternNode] = {}
        self.globs: dict[str, _PatternNode] = {}
        self.any_number: _PatternNode | None = None
        self.ends: list[Subscriber] = []

    def get_or_create(self, segment: str) -> _PatternNode:
        """The branch of a segment, made where it is new."""
        if segment == "**":
            self.any_number = self.any_number or _PatternNode()
            return self.any_number
        return (self.globs if "*" in segment else self.words).setdefault(segment, _PatternNode())

    def find(self, segments: list[str], position: int, matching: dict[int, Subscriber]) -> None:
        """Put into `found` what hears a topic, of which the segments before `at` are matched."""
        if position == len(segments):
            matching.update((s.number, s) for s in self.ends)
        else:
            if (word := self.words.get(segments[position])) is not None:
                word.find(segments, position + 1, matching)
            for glob, branch in self.globs.items():
                if glob == "*" or compile_pattern(glob).fullmatch(segments[position]):
                    branch.find(segments, position + 1, matching)
        if self.any_number is not None:
            first = (
                position + 1 if position == 0 else position
            )  # before the first `/` there is always a segment, if an empty one
            for end in range(first, len(segments) + 1):
                if end > position and position and not segments[end - 1]:
                    break
                self.any_number.find(segments, end, matching)


class SubscriptionIndex:
    """Every subscription of a bus. Not locked: the bus is."""

    def __init__(self) -> None:
        self.exact: dict[str, list[Subscriber]] = {}
        self.patterns: dict[str, list[Subscriber]] = {}
        self._tree = _PatternNode()
        self._numbers = itertools.count(1)

    def assign_number(self) -> int:
        """Of a subscription to come."""
        return next(self._numbers)

    def add(self, subscriber: Subscriber) -> None:
        """From now on it is found, in the order of its number: one that takes another's place has that one's."""
        topic = subscriber.topic
        if not is_pattern(topic):
            insort(self.exact.setdefault(topic, []), subscriber, key=_number)
            return
        insort(self.patterns.setdefault(topic, []), subscriber, key=_number)
        branch = self._tree
        for segment in topic.split("/"):
            branch = branch.get_or_create(segment)
        branch.ends.append(subscriber)

    def remove(self, which: Callable[[Subscriber], bool]) -> list[Subscriber]:
        """Take subscriptions out and give them back."""
        gone: list[Subscriber] = []
        for kind in (self.exact, self.patterns):
            for topic in list(kind):
                out = [s for s in kind[topic] if which(s)]
                if not out:
                    continue
                gone += out
                remaining = [s for s in kind[topic] if s not in out]
                if remaining:
                    kind[topic] = remaining
                else:
                    del kind[topic]
        if any(is_pattern(s.topic) for s in gone):
            self._rebuild_tree()
        return gone

    def _rebuild_tree(self) -> None:
        self._tree = _PatternNode()
        for pattern, subscribers in self.patterns.items():
            branch = self._tree
            for segment in pattern.split("/"):
                branch = branch.get_or_create(segment)
            branch.ends = list(subscribers)

    def find(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery: that of subscription."""
        exact = self.exact.get(topic, ())
        if not self.patterns:
            return tuple(exact)
        matching = {s.number: s for s in exact}
        self._tree.find(topic.split("/"), 0, matching)
        return tuple(matching[number] for number in sorted(matching))

    def iter_topics(self) -> Iterator[tuple[str, list[Subscriber]]]:
        """Topics and patterns, with who subscribed to them."""
        yield from self.exact.items()
        yield from self.patterns.items()

    def list_handlers(self) -> dict[str, list[tuple[Callable[..., Any], str]]]:
        """Topic or pattern -> (handler, name), as seed 002 §5.3 keeps them."""
        return {topic: [(s.handler, s.name) for s in subscribers] for topic, subscribers in self.iter_topics()}
