"""Where a delivery happens: the frame of a thread, and the flow of an async task.

Each thread counts its own publishes, so that counting needs no lock and is exact: a frame is written by its thread
alone, and only read by others. What a handler publishes waits in the frame's (or flow's) queue until the event at hand
has reached all its handlers: so nothing recurses, and one publisher's messages keep their order.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

from graphbus_core.model.message import Event, Origin, start_series
from graphbus_core.runtime.delivery.plan import DeliveryPlan
from graphbus_core.runtime.subscriptions.subscriber import Subscriber

Queued = tuple[DeliveryPlan, Event]
Outbox = list[Future[None]]  # what a handler published over a transport, not confirmed yet
Deferred = tuple[Subscriber, Any]  # a sync handler, and what it gave back to be awaited
PendingAwaits = tuple[DeliveryPlan, Event, list[Deferred]]


class Ordinals:
    """Numbers what one cause publishes, for each handler and topic apart: so a redelivery makes the same ids."""

    __slots__ = ("_given", "cause")

    def __init__(self, cause: str) -> None:
        self.cause = cause
        self._given: dict[tuple[str, str], int] = {}

    def assign_origin(self, handler: str, topic: str, key: str | None = None) -> Origin:
        """The origin of the next consequence; with the publisher's own `key` its order does not matter."""
        if key is not None:
            return self.cause, handler, topic, f"key {key}"
        place = handler, topic
        ordinal = self._given[place] = self._given.get(place, 0) + 1
        return self.cause, handler, topic, ordinal

    def forget(self, handler: str) -> None:
        """Number what this handler publishes from one again."""
        for place in [place for place in self._given if place[0] == handler]:
            del self._given[place]


class ThreadTopic:
    """What one thread knows of one topic: the plan it delivers by, and how often it did.

    `seq` numbers the thread's events of this topic from `base` up. While bound to a plan of n handlers since
    `bound`, (seq - bound) * n deliveries were begun; `begun` holds those of earlier plans. `flying` events are with
    their async handlers.
    """

    __slots__ = ("base", "begun", "bound", "flying", "plan", "seq", "version")

    def __init__(self) -> None:
        self.base = self.bound = self.seq = start_series()
        self.begun = self.flying = 0
        self.version: object = None
        self.plan: DeliveryPlan = None  # type: ignore[assignment]

    def bind(self, plan: DeliveryPlan, version: object) -> None:
        """Deliver by `plan` from now on. Called by the owning thread, under the bus's lock."""
        if self.plan is not None:
            self.begun += (self.seq - self.bound) * self.plan.n
        self.bound = self.seq
        self.plan, self.version = plan, version

    @property
    def published_count(self) -> int:
        """Events this thread published."""
        return self.seq - self.base

    @property
    def delivery_count(self) -> int:
        """Deliveries these events meant at the moment of publishing."""
        return self.begun + (self.seq - self.bound) * self.plan.n


class Frame:
    """A thread's place on a bus."""

    __slots__ = (
        "aentries",
        "aquick",
        "calling",
        "current",
        "entries",
        "every",
        "gathered",
        "helping",
        "ident",
        "late",
        "ordinals",
        "outbox",
        "plan",
        "queue",
        "quick",
        "subscriber",
        "thread",
    )

    def __init__(self) -> None:
        self.current: Event | None = None  # the event being delivered
        self.plan: DeliveryPlan | None = None  # by which plan; means something while `current` is set
        self.subscriber: Subscriber | None = None  # which handler, where each is called apart
        self.ordinals: tuple[Event, Ordinals] | None = None
        self.queue: deque[Queued] | None = None
        self.outbox: Outbox | None = None  # only over a transport
        self.helping = 0
        self.late: list[Deferred] = []  # of the event at hand
        self.gathered: list[PendingAwaits] | None = None  # where a task delivers: what it will await when that is done
        self.calling: CallScope | None = None  # the direct call under way
        self.every: dict[str, ThreadTopic] = {}
        self.quick: dict[str, ThreadTopic] = {}  # topics with sync handlers alone, that need nothing but handlers
        self.aquick: dict[str, ThreadTopic] = {}  # the same with async ones
        self.entries = self.quick  # what `publish` looks at; empty while a direct call is under way
        self.aentries = self.aquick
        self.thread = threading.current_thread()
        self.ident = threading.get_ident()

    def forget(self) -> None:
        """Give up every entry; whoever counts has taken them over."""
        self.every.clear()
        self.quick.clear()
        self.aquick.clear()

    def get_ordinals(self, event: Event) -> Ordinals:
        """That of the event at hand."""
        return _get_ordinals(self, event)


class Flow:
    """An async delivery under way. `active` until its queue is empty and its last handler done.

    The defaults stand on the class, because most flows need none of them.
    """

    active = True
    helping = 0
    queue: deque[Queued] | None = None
    outbox: Outbox | None = None
    subscriber: Subscriber | None = None
    ordinals: tuple[Event, Ordinals] | None = None
    failure: BaseException | None = None
    event: Event
    plan: DeliveryPlan | None
    bus: object
    ident: int

    def get_ordinals(self, event: Event) -> Ordinals:
        """That of the event at hand."""
        return _get_ordinals(self, event)


def _get_ordinals(place: Frame | Flow, event: Event) -> Ordinals:
    if place.ordinals is None or place.ordinals[0] is not event:
        place.ordinals = event, Ordinals(event.event_id)
    return place.ordinals[1]


def create_flow(event: Event, bus: object, plan: DeliveryPlan | None = None, *, active: bool = True) -> Flow:
    """A flow in this thread."""
    flow = Flow()
    if not FLOWS:
        FLOWS.append(flow.helping)
    flow.event, flow.bus, flow.plan, flow.ident = event, bus, plan, threading.get_ident()
    if not active:
        flow.active = False
    return flow


FLOW: ContextVar[Flow | None] = ContextVar("graphbus_flow", default=None)
FLOWS: list[int] = []  # holds something once this process made a flow: before, nobody need ask for one
NO_ENTRIES: dict[str, ThreadTopic] = {}  # never written to
UNBOUND = ThreadTopic()  # of no topic
NOWHERE = Frame()  # is always busy, so that nothing is delivered from it
NOWHERE.current = Event("", "", "", {})


class CallScope:
    """While a direct call runs in a thread, what it publishes has the call as its cause, and `by` as its handler."""

    __slots__ = ("_before", "_entries", "_frame", "by", "ordinals")

    def __init__(self, frame: Frame, cause: str, by: str = "") -> None:
        self._frame, self.by = frame, by
        self.ordinals = Ordinals(cause)

    @property
    def cause(self) -> str:
        """The id of the call."""
        return self.ordinals.cause

    def __enter__(self) -> None:
        frame = self._frame
        self._before, self._entries = frame.calling, (frame.entries, frame.aentries)
        frame.calling, frame.entries, frame.aentries = self, NO_ENTRIES, NO_ENTRIES

    def __exit__(self, *_: object) -> None:
        frame = self._frame
        frame.calling = self._before
        frame.entries, frame.aentries = self._entries


class Frames:
    """The frames of all threads of one bus. `lock` is the bus's."""

    MANY = 64  # from so many on, those of ended threads are summed up and dropped

    def __init__(self, lock: threading.RLock, fold: Any) -> None:
        self.local = threading.local()
        self.all: list[Frame] = []
        self._lock = lock
        self._fold = fold

    def get_current(self) -> Frame:
        """This thread's frame."""
        frame: Frame | None = getattr(self.local, "frame", None)
        if frame is None:
            frame = self.local.frame = Frame()
            with self._lock:
                if len(self.all) >= self.MANY:
                    for gone in [f for f in self.all if not f.thread.is_alive()]:
                        self._fold(gone.every)
                        self.all.remove(gone)
                self.all.append(frame)
        return frame

    def reset_after_fork(self, lock: threading.RLock) -> list[Frame]:
        """This is a child process: keep this thread's frame, and give back those of the parent's other threads."""
        self._lock = lock
        own = threading.get_ident()
        gone = [frame for frame in self.all if frame.ident != own]
        self.all[:] = [frame for frame in self.all if frame.ident == own]
        return gone


# What a bus counts. Publishes are counted by each thread for itself (`frames`); what is rare, here, under a lock.
#
# For each topic: the subscribers of its events at publish = delivered + failed + dropped + in flight.


MAX_TOPICS = 10_000
OTHERS = "(others)"  # the topics beyond


class _CountRow:
    __slots__ = ("begun", "dropped", "failed", "published")

    def __init__(self) -> None:
        self.published = self.begun = self.failed = self.dropped = 0

    def to_tuple(self) -> tuple[int, int, int, int]:
        return self.published, self.begun, self.failed, self.dropped


class DeliveryCounts:
    """Counts by topic that belong to no living thread, and those of failures."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[str, _CountRow] = {}
        self._zero: dict[str, tuple[int, int, int, int]] = {}
        self.rejected = 0  # events that a payload check or a full queue refused
        self.violations = 0  # payloads that broke their contract, refused or not

    def _get_row(self, topic: str) -> _CountRow:
        row = self._rows.get(topic)
        if row is None:
            if len(self._rows) >= MAX_TOPICS:
                topic = OTHERS
            row = self._rows.setdefault(topic, _CountRow())
        return row

    def count_failed(self, topic: str, n: int = 1) -> None:
        """n deliveries ended with an error."""
        with self._lock:
            self._get_row(topic).failed += n

    def count_dropped(self, topic: str, n: int) -> None:
        """n deliveries will never happen."""
        with self._lock:
            self._get_row(topic).dropped += n

    def count_begun(self, topic: str, n: int) -> None:
        """n deliveries more than the published events meant."""
        with self._lock:
            self._get_row(topic).begun += n

    def count_rejected(self, topic: str, n: int) -> None:
        """An event was refused; its n deliveries will never happen."""
        with self._lock:
            self.rejected += 1
            self._get_row(topic).dropped += n

    def count_violation(self) -> None:
        """A payload broke its contract."""
        with self._lock:
            self.violations += 1

    def reset_after_fork(self) -> None:
        """This is a child process: whoever held the lock stayed in the parent."""
        self._lock = threading.Lock()

    def fold(self, entries: Mapping[str, ThreadTopic]) -> None:
        """Take over the counts of entries that are given up."""
        with self._lock:
            for topic, entry in entries.items():
                row = self._get_row(topic)
                row.published += entry.published_count
                row.begun += entry.delivery_count

    def reset(self, frames: Iterable[Frame]) -> None:
        """Everything counted so far is zero from now on."""
        totals = self._sum_totals(frames)
        with self._lock:
            self._zero = totals
            self.rejected = self.violations = 0

    def compute_totals(self, frames: Iterable[Frame]) -> dict[str, tuple[int, int, int, int]]:
        """topic -> published, deliveries begun, failed, dropped, since the last reset."""
        zero = self._zero
        nothing = (0, 0, 0, 0)
        now = self._sum_totals(frames)
        rows: dict[str, tuple[int, int, int, int]] = {}
        if OTHERS in now:  # since the last reset, topics may have come to be counted there
            zero = _merge_others(zero, set(zero) - set(now))
        for topic, row in now.items():
            z = zero.get(topic, nothing)
            rows[topic] = (row[0] - z[0], row[1] - z[1], row[2] - z[2], row[3] - z[3])
        return {topic: row for topic, row in rows.items() if topic not in zero or any(row)}

    def _sum_totals(self, frames: Iterable[Frame]) -> dict[str, tuple[int, int, int, int]]:
        with self._lock:
            rows = {topic: list(row.to_tuple()) for topic, row in self._rows.items()}
        for frame in frames:
            for topic, entry in list(frame.every.items()):
                # what became of the events of a topic is counted where its failures are
                name = topic if OTHERS not in rows or topic in rows else OTHERS
                row = rows.setdefault(name, [0, 0, 0, 0])
                row[0] += entry.published_count
                row[1] += entry.delivery_count
        return {topic: (r[0], r[1], r[2], r[3]) for topic, r in rows.items()}


def _merge_others(
    rows: Mapping[str, tuple[int, int, int, int]], gone: set[str]
) -> dict[str, tuple[int, int, int, int]]:
    """The same counts, with those of the topics `gone` under OTHERS."""
    apart = {topic: row for topic, row in rows.items() if topic not in gone}
    lost = [rows[topic] for topic in gone] + [apart.get(OTHERS, (0, 0, 0, 0))]
    a, b, c, d = (sum(column) for column in zip(*lost, strict=True))
    return {**apart, OTHERS: (a, b, c, d)}


def summarize_counts(frames: Iterable[Frame], tally: DeliveryCounts, waiting: Mapping[str, int]) -> dict[str, Any]:
    """The part of `get_stats` that counts messages. `waiting`: topic -> deliveries that are not done yet."""
    topics: dict[str, dict[str, int]] = {}
    rows = tally.compute_totals(frames)
    under_way: dict[str, int] = {}
    for topic, n in waiting.items():
        name = topic if topic in rows or OTHERS not in rows else OTHERS
        under_way[name] = under_way.get(name, 0) + n
    for topic, (published, begun, failed, dropped) in sorted(rows.items()):
        flying = min(under_way.get(topic, 0), max(begun - failed - dropped, 0))
        topics[topic] = {
            "published": published,
            "delivered": begun - failed - dropped - flying,
            "failed": failed,
            "dropped": dropped,
            "in_flight": flying,
        }

    def sum_column(name: str) -> int:
        return sum(t[name] for t in topics.values())

    return {
        "messages_published": sum_column("published"),
        "messages_delivered": sum_column("delivered"),
        "errors": sum_column("failed"),
        "messages_dropped": sum_column("dropped"),
        "messages_rejected": tally.rejected,
        "payload_violations": tally.violations,
        "in_flight": sum_column("in_flight"),
        "topics": topics,
    }
