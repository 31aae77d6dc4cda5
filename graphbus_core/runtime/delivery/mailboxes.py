"""Mailboxes: what waits for the async handlers of a sync publisher that is inside an event loop and cannot wait.

Each handler takes one event at a time, in order; with `concurrency=n`, so many at once. A mailbox is touched by its
own loop alone, and is taken over by another where that loop ended.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol

from graphbus_core.errors import QueueFull
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import Flow, new_flow
from graphbus_core.runtime.delivery.outcomes import Outcomes
from graphbus_core.runtime.handling.handlers import close
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.handling.subscriber import Subscriber


@dataclass(frozen=True, slots=True, eq=False)
class Due:
    """A delivery that waits: published to `topic`; `begun` where the handler was called already."""

    topic: str
    event: Event
    begun: Any = None


class Mailbox:
    """What waits for one async subscriber, and what its workers are at."""

    __slots__ = ("due", "given_up", "loop", "now", "subscriber", "workers")

    def __init__(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber) -> None:
        self.due: deque[Due] = deque()
        self.workers = 0
        self.now: dict[asyncio.Task[Any] | None, Due] = {}  # what each worker is at
        self.given_up = False  # its loop ended: what it was at is counted as dropped
        self.loop = loop
        self.subscriber = subscriber


class Tasks(Protocol):
    """What a worker needs of those who deliver in tasks."""

    async def in_flow(self, flow: Flow, work: Awaitable[None]) -> None: ...
    async def await_one(
        self, topic: str, subscriber: Subscriber, event: Event, begun: Any = None, box: Mailbox | None = None
    ) -> None: ...


class Mailboxes:
    """The mailboxes of one bus."""

    def __init__(self, core: Core, outcomes: Outcomes, flows: Tasks) -> None:
        self._core = core
        self._outcomes = outcomes
        self._flows = flows
        self.boxes: dict[int, Mailbox] = {}
        self.tasks: dict[asyncio.Task[Any], str] = {}  # the workers, and whose

    def post_all(self, loop: asyncio.AbstractEventLoop, due: list[tuple[Subscriber, Due]]) -> None:
        """Leave deliveries to their handlers' mailboxes. Raises QueueFull when all that fit were left."""
        self._core.home.adopt(loop)
        full: QueueFull | None = None
        for subscriber, one in due:
            try:
                self._post(loop, subscriber, one)
            except QueueFull as e:
                full = e
        if full is not None:
            raise full

    def _post(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber, due: Due) -> None:
        limit = self._core.queue_limit
        box = self.boxes.get(subscriber.number)
        if box is None:
            box = self.boxes[subscriber.number] = Mailbox(loop, subscriber)
        elif box.loop is not loop and not box.loop.is_running():
            box = self._taken_over(box, loop)
        if len(box.due) >= limit:
            if self._core.on_full != "drop_oldest":
                close(due.begun)
                self._core.tally.dropped(due.topic, 1)
                if self._core.ledger is not None:
                    self._core.ledger.done(due.event, subscriber)
                full = QueueFull(
                    f"{limit} events wait for {subscriber.name} already. Publish with `await apublish(…)`, which "
                    f"waits for it, or raise queue_limit."
                )
                self._outcomes.bury(due.event, self._outcomes.label(subscriber, due.event), full, "queue")
                raise full
            self.drop(subscriber, box.due.popleft(), f"the queue of {limit} was full", "queue")
        if box.loop is loop:
            self._put(box, due)
        else:  # a mailbox is touched by its own loop alone
            box.loop.call_soon_threadsafe(self._put, box, due)

    def _taken_over(self, box: Mailbox, loop: asyncio.AbstractEventLoop) -> Mailbox:
        """The loop of a mailbox ended: what waits there is handled on another, what was begun is given up."""
        box.given_up = True
        waiting = list(box.due)
        box.due.clear()
        for at_hand in box.now.values():
            self._core.tally.dropped(at_hand.topic, 1)
            label = self._outcomes.label(box.subscriber, at_hand.event)
            self._outcomes.bury(at_hand.event, label, "its event loop ended", "stopped")
        fresh = self.boxes[box.subscriber.number] = Mailbox(loop, box.subscriber)
        for due in waiting:
            if loop is running_loop():
                self._put(fresh, due)
            else:
                loop.call_soon_threadsafe(self._put, fresh, due)
        return fresh

    def drop(self, subscriber: Subscriber, due: Due, why: str, reason: str) -> None:
        """A delivery will never happen: count it, and keep it as a dead letter."""
        close(due.begun)
        self._core.tally.dropped(due.topic, 1)
        self._outcomes.bury(due.event, self._outcomes.label(subscriber, due.event), why, reason)
        if reason != "stopped" and self._core.ledger is not None:
            self._core.ledger.done(due.event, subscriber)

    def _put(self, box: Mailbox, due: Due) -> None:
        box.due.append(due)
        if box.workers < (box.subscriber.bounds.concurrency or 1):
            box.workers += 1
            self.boxes[box.subscriber.number] = box
            task = box.loop.create_task(self._work(box))
            self.tasks[task] = box.subscriber.name
            task.add_done_callback(lambda done: self.tasks.pop(done, None))

    async def _work(self, box: Mailbox) -> None:
        """Handle what waits, until nothing does."""
        worker = asyncio.current_task()
        try:
            while box.due:
                due = box.now[worker] = box.due.popleft()
                flow = new_flow(due.event, self._core)
                flow.subscriber = box.subscriber
                work = self._flows.await_one(due.topic, box.subscriber, due.event, due.begun, box)
                await self._flows.in_flow(flow, work)
        finally:
            box.now.pop(worker, None)
            box.workers -= 1
            if not box.workers:
                while box.due:  # only where the task was cancelled
                    self.drop(box.subscriber, box.due.popleft(), "the loop was stopped", "stopped")
                if self.boxes.get(box.subscriber.number) is box:
                    del self.boxes[box.subscriber.number]

    async def cancel(self, timeout_s: float | None = None) -> list[str]:
        """Cancel all workers; what they had not done counts as failed or dropped.

        Waits for their end, at most `timeout_s`, and names those that go on all the same.
        """
        tasks = [task for task in list(self.tasks) if task is not asyncio.current_task()]
        names = {task: self.tasks[task] for task in tasks}
        for task in tasks:
            task.cancel()
        left = (await asyncio.wait(tasks, timeout=timeout_s))[1] if tasks else set()
        return sorted(names[task] for task in left)
