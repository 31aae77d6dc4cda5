"""What the parts of one bus share: its settings, and who keeps what. It does nothing by itself."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from graphbus_core.model.message import Event, Message, Origin, derive_id
from graphbus_core.runtime.concurrency import BackgroundLoop
from graphbus_core.runtime.delivery.frames import FLOW, CallScope, DeliveryCounts, Frame, Frames, Ordinals, ThreadTopic
from graphbus_core.runtime.delivery.plan import DeliveryPlan, OnReturned, OnViolation, compile_plan, find_running
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.persistence.dead_letters import DeadLetters
from graphbus_core.runtime.subscriptions.subscriber import Subscriber, SubscriptionIndex

if TYPE_CHECKING:
    from graphbus_core.runtime.persistence.delivery_log import DeliveryLog
    from graphbus_core.runtime.telemetry.observer import Observer

_NO_LOCK: AbstractContextManager[None] = nullcontext()
Middleware = Callable[[Event, Callable[[Event], Any]], Any]
MAX_TOPICS = 10_000  # that one thread counts apart; beyond, the counts of old topics are summed up


class Carrier(Protocol):
    """What takes events out of this process, where a transport does (`transports.carried`)."""

    def publish(self, event: Event, frame: Frame) -> None: ...
    async def apublish(self, event: Event, frame: Frame) -> None: ...
    def consume(self, subscriber: Subscriber) -> None: ...
    def release(self, subscriber: Subscriber) -> None: ...


@dataclass(eq=False)
class BusCore:
    """One bus's settings and state. `version` changes with every change of who hears what, and how."""

    queue_limit: int
    on_full: str
    checks: PayloadChecks
    dead_letters: DeadLetters
    ledger: DeliveryLog | None
    stamp: Callable[[], float] | None
    history: deque[Event]
    together: bool = False  # the async handlers of one event run at once
    wait_s: float | None = None  # how long a sync publisher waits for async handlers
    lock: threading.RLock = field(default_factory=threading.RLock)
    home: BackgroundLoop = field(default_factory=BackgroundLoop)
    tally: DeliveryCounts = field(default_factory=DeliveryCounts)
    subscriptions: SubscriptionIndex = field(default_factory=SubscriptionIndex)
    middleware: tuple[Middleware, ...] = ()
    masks: tuple[Callable[[Event], Event], ...] = ()
    dispatcher: Any = None  # a foreign one, which is asked too
    observers: tuple[Observer, ...] = ()  # who looks on; most buses have none
    carrier: Carrier | None = None  # where events leave the process; None: all of them are delivered here
    closed: bool = False
    version: object = field(default_factory=object)
    returned: OnReturned | None = None
    violated: OnViolation | None = None

    def __post_init__(self) -> None:
        self.frames = Frames(self.lock, self.tally.fold)
        self._plans: dict[str, DeliveryPlan] = {}

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

    def invalidate_plans(self, topic: str | None = None) -> None:
        """From now on no plan made before is used: that of one topic, or any. Under the lock."""
        if topic is None:
            self._plans = {}
        else:
            self._plans.pop(topic, None)
        self.version = object()
        for frame in self.frames.all:  # a thread that holds an entry already delivers that one event as it was
            frame.quick.clear()
            frame.aquick.clear()

    def find_plan(self, topic: str) -> DeliveryPlan:
        """How an event of `topic` is delivered now. Raises UnknownTopic where that is enforced."""
        with self.lock:
            plan = self._plans.get(topic)
            if plan is None:
                subscribers = self.subscriptions.find(topic)
                self.checks.require_known(
                    topic, bool(subscribers), lambda: (name for name, _ in self.subscriptions.iter_topics())
                )
                if len(self._plans) >= MAX_TOPICS:
                    self._plans = {}
                check = self.checks.find_topic_check(topic)
                if self.carrier is not None:
                    subscribers = ()  # the transport brings each handler its own, also those of this process
                plan = self._plans[topic] = compile_plan(topic, subscribers, check, self.violated, self.returned)
            return plan

    def bind_entry(self, frame: Frame, topic: str) -> ThreadTopic:
        """This thread's entry for `topic`, bound to the plan of now."""
        entry = frame.every.get(topic)
        if entry is None or entry.version is not self.version:
            with self.lock:
                plan = self.find_plan(topic)
                if entry is None:
                    if len(frame.every) >= MAX_TOPICS:
                        self.tally.fold(frame.every)
                        frame.forget()
                    entry = ThreadTopic()
                entry.bind(plan, self.version)
                frame.every[topic] = entry
                frame.quick.pop(topic, None)
                frame.aquick.pop(topic, None)
                if not self.general and not plan.orders:
                    if plan.arun is None:
                        frame.quick[topic] = entry
                    elif not self.together:
                        frame.aquick[topic] = entry
        return entry

    def find_subscribers(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery."""
        with self.lock:
            return self.subscriptions.find(topic)

    def block_snapshot(self, subscriber: Subscriber) -> AbstractContextManager[None]:
        """While a handler works: with a journal, no snapshot of its node is taken meanwhile."""
        if self.ledger is None or self.ledger.stateful is None:
            return _NO_LOCK
        return self.ledger.block_snapshot(getattr(subscriber.owner, "name", None))

    def block_snapshot_of(self, node: str) -> AbstractContextManager[None]:
        """The same for a direct call."""
        return _NO_LOCK if self.ledger is None else self.ledger.block_snapshot(node)

    def redact(self, event: Event) -> Event:
        """The event as it may be shown and kept: without what the middleware hides."""
        for mask in self.masks:
            event = mask(event)
        return event

    def trace_flow(self, event_id: str) -> list[Event]:
        """What led to an event and what came of it, oldest first, as far as the history reaches."""
        events = self.list_recent(len(self.history))[::-1]
        by_id = {e.event_id: e for e in events}
        root = event_id
        visited = {root}
        while (event := by_id.get(root)) and event.cause in by_id and event.cause not in visited:
            root = event.cause
            visited.add(root)
        reached = {root}
        for event in events:
            if event.cause in reached:
                reached.add(event.event_id)
        return [e for e in events if e.event_id in reached]

    def list_recent(self, limit: int) -> list[Event]:
        """The last events, newest first."""
        while True:
            try:
                return list(itertools.islice(reversed(self.history), max(limit, 0)))
            except RuntimeError:  # another thread published meanwhile
                continue


def choose_clock(timestamps: bool) -> Callable[[], float] | None:
    """What stamps events, or None."""
    return time.time if timestamps else None


# What follows from what: the cause and the id of everything that a handler or a direct call publishes or calls.
#
# An id is a function of (cause, handler, topic, ordinal): the same event delivered to the same handler once more leads
# to the same ids. `running` reads off the stack which handler it is, where nobody wrote that down.


class Causation:
    """Knows, for one bus, on whose behalf a thread or a task is at work."""

    def __init__(self, core: BusCore) -> None:
        self._core = core

    def derive_origin(self, frame: Frame, what: str, key: str | None = None) -> Origin | None:
        """What the thing that is about to be published or called here follows from; None: it comes from outside."""
        numbers, by = self._locate(frame)
        return numbers.assign_origin(by, what, key) if numbers is not None else None

    def _locate(self, frame: Frame) -> tuple[Ordinals | None, str]:
        if frame.calling is not None:
            return frame.calling.ordinals, frame.calling.by
        if frame.current is not None:
            handler = frame.subscriber
            if handler is None and frame.plan is not None:
                handler = find_running(frame.plan, awaited=False)
            return frame.get_ordinals(frame.current), handler.durable if handler is not None else ""
        flow = FLOW.get()
        if flow is None:
            return None, ""
        handler = flow.subscriber
        if handler is None and flow.plan is not None and flow.active:
            handler = find_running(flow.plan, awaited=True)
        return flow.get_ordinals(flow.event), handler.durable if handler is not None else ""

    def restart_numbering(self, by: str) -> None:
        """`by` begins a further attempt here: what it publishes has the ids of the attempt before."""
        frame, flow = self._core.frames.get_current(), FLOW.get()
        if frame.calling is not None:
            frame.calling.ordinals.forget(by)
        elif frame.current is not None:
            frame.get_ordinals(frame.current).forget(by)
        elif flow is not None:
            flow.get_ordinals(flow.event).forget(by)

    def find_published_before(self, origin: Origin | None, payload: dict[str, Any], source: str) -> Event | None:
        """The event, where it was published before a crash already: it is delivered as the journal has it."""
        ledger = self._core.ledger
        if origin is None or ledger is None or not ledger.made:
            return None
        event = Event(derive_id("event_", origin), origin[2], source, payload, None, origin[0])
        return event if ledger.was_made_before(event.event_id) else None

    def derive_call_id(self, node: str, method: str) -> str | None:
        """The id of a direct call that is about to be made inside a handler or a call; None outside."""
        origin = self.derive_origin(self._core.frames.get_current(), f"{node}.{method}()")
        return derive_id("msg_", origin) if origin is not None else None

    def record_call(self, message: Message) -> None:
        """A direct call is about to be made: journal it."""
        ledger = self._core.ledger
        if ledger is not None:
            ledger.record_call(self._redact_call(message) if self._core.masks else message, self.find_current_cause())

    def _redact_call(self, message: Message) -> Message:
        redact, name = self._core.redact, f"{message.dst}.{message.method}"
        payload = redact(Event(message.msg_id, name, message.src, message.payload)).payload
        context = message.context and redact(Event(message.msg_id, name, message.src, message.context)).payload
        return replace(message, payload=payload, context=context)

    def find_current_cause(self) -> str | None:
        """The id of the event or call that is being handled here, or None."""
        frame = self._core.frames.get_current()
        if frame.calling is not None:
            return frame.calling.cause
        if frame.current is not None:
            return frame.current.event_id
        flow = FLOW.get()
        return flow.event.event_id if flow is not None else None

    def set_cause(self, cause: str, by: str = "") -> CallScope:
        """While `by` works for `cause` in this thread, what it publishes has that as its cause."""
        return CallScope(self._core.frames.get_current(), cause, by)

    def wrap_for_thread(self, cause: str, by: str, work: Callable[[], Any]) -> Callable[[], Any]:
        """`work`, to be done in another thread: what it publishes there has that cause all the same."""

        def run_with_cause() -> Any:
            with self.set_cause(cause, by):
                return work()

        return run_with_cause
