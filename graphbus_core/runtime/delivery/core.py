"""What the parts of one bus share: its settings, and who keeps what. It does nothing by itself."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.counts import DeliveryCounts
from graphbus_core.runtime.delivery.frames import Frame, Frames, ThreadTopic
from graphbus_core.runtime.handling.checks import PayloadChecks
from graphbus_core.runtime.handling.home import HomeLoop
from graphbus_core.runtime.handling.plan import Plan, Returned, Violation, compile_plan
from graphbus_core.runtime.handling.subscriber import Subscriber
from graphbus_core.runtime.handling.subscriptions import Subscriptions
from graphbus_core.runtime.kept.dead_letters import DeadLetters

if TYPE_CHECKING:
    from graphbus_core.runtime.kept.ledger import Ledger
    from graphbus_core.runtime.telemetry.observer import Observer

_FREELY: AbstractContextManager[None] = nullcontext()
Middleware = Callable[[Event, Callable[[Event], Any]], Any]
MAX_TOPICS = 10_000  # that one thread counts apart; beyond, the counts of old topics are summed up


class Carrier(Protocol):
    """What takes events out of this process, where a transport does (`transports.carried`)."""

    def publish(self, event: Event, frame: Frame) -> None: ...
    async def apublish(self, event: Event, frame: Frame) -> None: ...
    def consume(self, subscriber: Subscriber) -> None: ...
    def release(self, subscriber: Subscriber) -> None: ...


@dataclass(eq=False)
class Core:
    """One bus's settings and state. `version` changes with every change of who hears what, and how."""

    queue_limit: int
    on_full: str
    checks: PayloadChecks
    dead_letters: DeadLetters
    ledger: Ledger | None
    stamp: Callable[[], float] | None
    history: deque[Event]
    together: bool = False  # the async handlers of one event run at once
    wait_s: float | None = None  # how long a sync publisher waits for async handlers
    lock: threading.RLock = field(default_factory=threading.RLock)
    home: HomeLoop = field(default_factory=HomeLoop)
    tally: DeliveryCounts = field(default_factory=DeliveryCounts)
    subscriptions: Subscriptions = field(default_factory=Subscriptions)
    middleware: tuple[Middleware, ...] = ()
    masks: tuple[Callable[[Event], Event], ...] = ()
    dispatcher: Any = None  # a foreign one, which is asked too
    observers: tuple[Observer, ...] = ()  # who looks on; most buses have none
    carrier: Carrier | None = None  # where events leave the process; None: all of them are delivered here
    closed: bool = False
    version: object = field(default_factory=object)
    returned: Returned | None = None
    violated: Violation | None = None

    def __post_init__(self) -> None:
        self.frames = Frames(self.lock, self.tally.fold)
        self._plans: dict[str, Plan] = {}

    @property
    def general(self) -> bool:
        """Whether no event at all may take the quick road."""
        return bool(
            self.middleware
            or self.masks
            or self.ledger is not None
            or self.dispatcher is not None
            or self.carrier is not None
            or self.observers
        )

    def change(self, topic: str | None = None) -> None:
        """From now on no plan made before is used: that of one topic, or any. Under the lock."""
        if topic is None:
            self._plans = {}
        else:
            self._plans.pop(topic, None)
        self.version = object()
        for frame in self.frames.all:  # a thread that holds an entry already delivers that one event as it was
            frame.quick.clear()
            frame.aquick.clear()

    def plan(self, topic: str) -> Plan:
        """How an event of `topic` is delivered now. Raises UnknownTopic where that is enforced."""
        with self.lock:
            plan = self._plans.get(topic)
            if plan is None:
                heard = self.subscriptions.of(topic)
                self.checks.demand_known(
                    topic, bool(heard), lambda: (name for name, _ in self.subscriptions.by_topic())
                )
                if len(self._plans) >= MAX_TOPICS:
                    self._plans = {}
                check = self.checks.of_topic(topic)
                if self.carrier is not None:
                    heard = ()  # the transport brings each handler its own, also those of this process
                plan = self._plans[topic] = compile_plan(topic, heard, check, self.violated, self.returned)
            return plan

    def entry(self, frame: Frame, topic: str) -> ThreadTopic:
        """This thread's entry for `topic`, bound to the plan of now."""
        entry = frame.every.get(topic)
        if entry is None or entry.version is not self.version:
            with self.lock:
                plan = self.plan(topic)
                if entry is None:
                    if len(frame.every) >= MAX_TOPICS:
                        self.tally.fold(frame.every)
                        frame.forget()
                    entry = ThreadTopic()
                entry.bind(plan, self.version)
                frame.every[topic] = entry
                frame.quick.pop(topic, None)
                frame.aquick.pop(topic, None)
                if not self.general:
                    if plan.arun is None:
                        frame.quick[topic] = entry
                    elif not self.together:
                        frame.aquick[topic] = entry
        return entry

    def subscribers(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery."""
        with self.lock:
            return self.subscriptions.of(topic)

    def working(self, subscriber: Subscriber) -> AbstractContextManager[None]:
        """While a handler works: with a journal, no snapshot of its node is taken meanwhile."""
        if self.ledger is None or self.ledger.stateful is None:
            return _FREELY
        return self.ledger.working(getattr(subscriber.owner, "name", None))

    def working_in(self, node: str) -> AbstractContextManager[None]:
        """The same for a direct call."""
        return _FREELY if self.ledger is None else self.ledger.working(node)

    def shown(self, event: Event) -> Event:
        """The event as it may be shown and kept: without what the middleware hides."""
        for mask in self.masks:
            event = mask(event)
        return event

    def flow(self, event_id: str) -> list[Event]:
        """What led to an event and what came of it, oldest first, as far as the history reaches."""
        events = self.recent(len(self.history))[::-1]
        by_id = {e.event_id: e for e in events}
        root = event_id
        seen = {root}
        while (event := by_id.get(root)) and event.cause in by_id and event.cause not in seen:
            root = event.cause
            seen.add(root)
        reached = {root}
        for event in events:
            if event.cause in reached:
                reached.add(event.event_id)
        return [e for e in events if e.event_id in reached]

    def recent(self, limit: int) -> list[Event]:
        """The last events, newest first."""
        while True:
            try:
                return list(itertools.islice(reversed(self.history), max(limit, 0)))
            except RuntimeError:  # another thread published meanwhile
                continue


def clock(timestamps: bool) -> Callable[[], float] | None:
    """What stamps events, or None."""
    return time.time if timestamps else None
