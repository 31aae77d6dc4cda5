"""Where a delivery happens: the frame of a thread, and the flow of an async task.

Each thread counts its own publishes, so that counting needs no lock and is exact: a frame is written by its thread
alone, and only read by others. What a handler publishes waits in the frame's (or flow's) queue until the event at hand
has reached all its handlers: so nothing recurses, and one publisher's messages keep their order.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

from graphbus_core.model.message import Event, Origin, new_series
from graphbus_core.runtime.handling.plan import Plan
from graphbus_core.runtime.handling.subscriber import Subscriber

Queued = tuple[Plan, Event]
Outbox = list[Future[None]]  # what a handler published over a transport, not confirmed yet
Late = tuple[Subscriber, Any]  # a sync handler, and what it gave back to be awaited
Gathered = tuple[Plan, Event, list[Late]]


class Ordinals:
    """Numbers what one cause publishes, for each handler and topic apart: so a redelivery makes the same ids."""

    __slots__ = ("_given", "cause")

    def __init__(self, cause: str) -> None:
        self.cause = cause
        self._given: dict[tuple[str, str], int] = {}

    def next(self, handler: str, topic: str, key: str | None = None) -> Origin:
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
        self.base = self.bound = self.seq = new_series()
        self.begun = self.flying = 0
        self.version: object = None
        self.plan: Plan = None  # type: ignore[assignment]

    def bind(self, plan: Plan, version: object) -> None:
        """Deliver by `plan` from now on. Called by the owning thread, under the bus's lock."""
        if self.plan is not None:
            self.begun += (self.seq - self.bound) * self.plan.n
        self.bound = self.seq
        self.plan, self.version = plan, version

    @property
    def published(self) -> int:
        """Events this thread published."""
        return self.seq - self.base

    @property
    def deliveries(self) -> int:
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
        self.plan: Plan | None = None  # by which plan; means something while `current` is set
        self.subscriber: Subscriber | None = None  # which handler, where each is called apart
        self.ordinals: tuple[Event, Ordinals] | None = None
        self.queue: deque[Queued] | None = None
        self.outbox: Outbox | None = None  # only over a transport
        self.helping = 0
        self.late: list[Late] = []  # of the event at hand
        self.gathered: list[Gathered] | None = None  # where a task delivers: what it will await when that is done
        self.calling: Calling | None = None  # the direct call under way
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

    def numbering(self, event: Event) -> Ordinals:
        """That of the event at hand."""
        return _numbering(self, event)


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
    plan: Plan | None
    bus: object
    ident: int

    def numbering(self, event: Event) -> Ordinals:
        """That of the event at hand."""
        return _numbering(self, event)


def _numbering(place: Frame | Flow, event: Event) -> Ordinals:
    if place.ordinals is None or place.ordinals[0] is not event:
        place.ordinals = event, Ordinals(event.event_id)
    return place.ordinals[1]


def new_flow(event: Event, bus: object, plan: Plan | None = None, *, active: bool = True) -> Flow:
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
NOTHING_QUICK: dict[str, ThreadTopic] = {}  # never written to
UNBOUND = ThreadTopic()  # of no topic
NOWHERE = Frame()  # is always busy, so that nothing is delivered from it
NOWHERE.current = Event("", "", "", {})


class Calling:
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
        frame.calling, frame.entries, frame.aentries = self, NOTHING_QUICK, NOTHING_QUICK

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

    def here(self) -> Frame:
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

    def forked(self, lock: threading.RLock) -> list[Frame]:
        """This is a child process: keep this thread's frame, and give back those of the parent's other threads."""
        self._lock = lock
        own = threading.get_ident()
        gone = [frame for frame in self.all if frame.ident != own]
        self.all[:] = [frame for frame in self.all if frame.ident == own]
        return gone
