"""Where a delivery happens: the frame of a thread, and the flow of an async task.

Each thread counts its own publishes, so that counting needs no lock and is exact: a frame is written by its thread
alone, and only read by others. What a handler publishes waits in the frame's (or flow's) queue until the event at hand
has reached all its handlers: so nothing recurses, and one publisher's messages keep their order.
"""

from __future__ import annotations

import threading
from collections import deque
from contextvars import ContextVar
from typing import Any

from graphbus_core.model.message import Event, new_series
from graphbus_core.runtime.delivery.plan import Plan, Subscriber

Queued = tuple[Plan, Event]
Late = tuple[Subscriber, Any]  # a sync handler, and what it gave back to be awaited


class Entry:
    """What one thread knows of one topic: the plan it delivers by, and how often it did.

    `seq` numbers the thread's events of this topic from `base` up. While bound to a plan of n handlers since
    `bound`, (seq - bound) * n deliveries were begun; `begun` holds those of earlier plans.
    """

    __slots__ = ("base", "begun", "bound", "plan", "seq", "version")

    def __init__(self) -> None:
        self.base = self.bound = self.seq = new_series()
        self.begun = 0
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
        "cause",
        "current",
        "entries",
        "every",
        "gathered",
        "helping",
        "ident",
        "late",
        "plan",
        "queue",
        "quick",
        "thread",
    )

    def __init__(self) -> None:
        self.current: Event | None = None  # the event being delivered
        self.plan: Plan | None = None  # by which plan, where the general path delivers it
        self.queue: deque[Queued] | None = None
        self.helping = 0
        self.late: list[Late] = []  # of the event at hand
        self.gathered: list[tuple[Plan, Event, list[Late]]] | None = None  # the same, where `apublish` will await it
        self.cause: str | None = None  # the direct call under way
        self.every: dict[str, Entry] = {}
        self.quick: dict[str, Entry] = {}  # those that need nothing but handlers
        self.entries = self.quick  # what `publish` looks at; empty while a direct call is under way
        self.thread = threading.current_thread()
        self.ident = threading.get_ident()


class Flow:
    """An async delivery under way. `active` until its queue is empty and its last handler done."""

    __slots__ = ("active", "bus", "event", "helping", "ident", "queue")

    def __init__(self, event: Event, bus: object, *, active: bool = True) -> None:
        self.event = event
        self.bus = bus
        self.active = active
        self.helping = 0
        self.ident = threading.get_ident()
        self.queue: deque[Queued] = deque()


FLOW: ContextVar[Flow | None] = ContextVar("graphbus_flow", default=None)
NOTHING_QUICK: dict[str, Entry] = {}  # never written to


class Calling:
    """While a direct call runs in a thread, what it publishes has the call as its cause."""

    __slots__ = ("_before", "_cause", "_entries", "_frame")

    def __init__(self, frame: Frame, cause: str) -> None:
        self._frame, self._cause = frame, cause

    def __enter__(self) -> None:
        frame = self._frame
        self._before, self._entries = frame.cause, frame.entries
        frame.cause, frame.entries = self._cause, NOTHING_QUICK

    def __exit__(self, *_: object) -> None:
        self._frame.cause, self._frame.entries = self._before, self._entries
