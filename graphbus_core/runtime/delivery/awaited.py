"""Async delivery: `apublish`, the async handlers of sync publishers, and waiting until nothing is under way.

apublish               awaits every handler in order
publish, in a thread   waits until the home loop has run the async handlers
publish, in a loop     cannot wait: each async handler has a bounded mailbox, and takes one event at a time
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import PayloadRejected, QueueFull
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.frames import FLOW, Flow, Frame, Late
from graphbus_core.runtime.delivery.home import is_failure, running_loop
from graphbus_core.runtime.delivery.plan import Plan, Subscriber, failed_at
from graphbus_core.runtime.delivery.sync import MAX_HELPING, Delivery, close
from graphbus_core.runtime.handling.handlers import PLAIN, to_await

log = logging.getLogger("graphbus.runtime")


@dataclass(frozen=True, slots=True, eq=False)
class _Due:
    """A delivery that waits in a mailbox: published to `topic`; `begun` where the handler was called already."""

    topic: str
    event: Event
    begun: Any = None


class _Mailbox:
    """What waits for one async subscriber."""

    __slots__ = ("due", "given_up", "loop", "now", "subscriber")

    def __init__(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber) -> None:
        self.due: deque[_Due] = deque()
        self.now: _Due | None = None  # what is being handled
        self.given_up = False  # its loop ended: what it was at is counted as dropped
        self.loop = loop
        self.subscriber = subscriber


class AwaitedDelivery(Delivery):
    """`Delivery`, with everything that can be awaited."""

    def __init__(self, *, journal: Any, timestamps: bool) -> None:
        super().__init__(journal=journal, timestamps=timestamps)
        self._mailboxes: dict[int, _Mailbox] = {}
        self._tasks: dict[asyncio.Task[Any], str] = {}  # the workers of mailboxes, and whose
        self._flying: dict[Flow, tuple[str, int]] = {}

    async def apublish(self, topic: str, payload: dict[str, Any], source: str = "system") -> Event:
        """Publish to `topic`, await every handler in order, and return the event.

        Inside a handler it returns at once: the event waits, as with `publish`, until the event at hand is done.
        """
        frame = self._frame()
        entry = self._entry_for(frame, topic, payload)
        plan = entry.plan
        flow = FLOW.get()
        nested = flow is not None and flow.active and flow.bus is self and flow.ident == frame.ident
        if nested and flow is not None and frame.current is None:
            await self._ahelp(flow)
        if plan.arun is None:
            return await self._apublish_sync(frame, topic, payload, source)
        event = self._announce(entry, payload, source, flow.event.event_id if flow is not None else frame.cause)
        self._check(plan, event)
        if frame.current is not None:
            self._enqueue(frame, plan, event)
        elif nested and flow is not None:
            self._enqueue(flow, plan, event)
        else:
            await self._flow(plan, event)
        return event

    async def _apublish_sync(self, frame: Frame, topic: str, payload: dict[str, Any], source: str) -> Event:
        """`apublish` where all handlers are sync, and what they give back may have to be awaited."""
        before, frame.gathered = frame.gathered, []
        try:
            event = self._publish(topic, payload, source)
        finally:
            gathered, frame.gathered = frame.gathered, before
        await self._await_gathered(gathered)
        return event

    async def _await_gathered(self, gathered: list[tuple[Plan, Event, list[Late]]] | None) -> None:
        for plan, event, late in gathered or ():
            await self._flow_late(plan, event, late)

    async def _ahelp(self, flow: Flow) -> None:
        """A publisher whose queue is full waits for itself: it delivers the oldest events first, so far as it may."""
        while len(flow.queue) >= self.queue_limit and self.on_full == "wait" and flow.helping < MAX_HELPING:
            at_hand, flying = flow.event, self._flying.get(flow)
            plan, event = flow.queue.popleft()
            flow.helping += 1
            try:
                await self._deliver_in_flow(flow, plan, event)
            finally:
                flow.helping -= 1
                flow.event = at_hand
                if flying is not None:
                    self._flying[flow] = flying
                else:
                    self._flying.pop(flow, None)

    def _run_pending(self, plan: Plan, event: Event) -> None:
        """The async handlers of a sync publish: awaited on the home loop; from inside a loop, left to mailboxes."""
        loop = running_loop()
        if loop is None:
            self.home.wait_for(self._flow_pending(plan, event))
            return
        self.home.adopt(loop)
        full: QueueFull | None = None
        for subscriber in plan.pending:
            try:
                self._post(loop, subscriber, _Due(plan.topic, event))
            except QueueFull as e:
                full = e
        if full is not None:
            raise full

    def _run_late(self, plan: Plan, event: Event, late: list[Late]) -> None:
        """What sync handlers gave back to be awaited: as `_run_pending` has it for async handlers."""
        loop = running_loop()
        if loop is None:
            self.home.wait_for(self._flow_late(plan, event, late))
            return
        self.home.adopt(loop)
        for subscriber, begun in late:
            self._post(loop, subscriber, _Due(plan.topic, event, begun))

    def _post(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber, due: _Due) -> None:
        event = due.event
        box = self._mailboxes.get(subscriber.number)
        if box is None:
            box = self._mailboxes[subscriber.number] = _Mailbox(loop, subscriber)
        elif box.loop is not loop and not box.loop.is_running():
            box = self._taken_over(box, loop)
        if len(box.due) >= self.queue_limit:
            if self.on_full != "drop_oldest":
                close(due.begun)
                self.tally.dropped(due.topic, 1)
                full = QueueFull(
                    f"{self.queue_limit} events wait for {subscriber.name} already. Publish with "
                    f"`await apublish(…)`, which waits for it, or raise queue_limit."
                )
                self._bury(event, self._label(subscriber, event), full, "queue")
                raise full
            self._drop_due(subscriber, box.due.popleft(), f"the queue of {self.queue_limit} was full", "queue")
        if box.loop is loop:
            self._put(box, due)
        else:  # a mailbox is touched by its own loop alone
            box.loop.call_soon_threadsafe(self._put, box, due)

    def _taken_over(self, box: _Mailbox, loop: asyncio.AbstractEventLoop) -> _Mailbox:
        """The loop of a mailbox ended: what waits there is handled on another, what was begun is given up."""
        box.given_up = True
        waiting = list(box.due)
        box.due.clear()
        if (at_hand := box.now) is not None and at_hand not in waiting:
            self.tally.dropped(at_hand.topic, 1)
            label = self._label(box.subscriber, at_hand.event)
            self._bury(at_hand.event, label, "its event loop ended", "stopped")
        fresh = self._mailboxes[box.subscriber.number] = _Mailbox(loop, box.subscriber)
        for due in waiting:
            if loop is running_loop():
                self._put(fresh, due)
            else:
                loop.call_soon_threadsafe(self._put, fresh, due)
        return fresh

    def _drop_due(self, subscriber: Subscriber, due: _Due, why: str, reason: str) -> None:
        close(due.begun)
        self.tally.dropped(due.topic, 1)
        self._bury(due.event, self._label(subscriber, due.event), why, reason)

    def _put(self, box: _Mailbox, due: _Due) -> None:
        box.due.append(due)
        if box.now is None:
            box.now = due
            self._mailboxes[box.subscriber.number] = box
            task = box.loop.create_task(self._work(box))
            self._tasks[task] = box.subscriber.name
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)

    async def _work(self, box: _Mailbox) -> None:
        try:
            while box.due:
                due = box.now = box.due.popleft()
                await self._in_flow(due.event, self._await_one(due.topic, box.subscriber, due.event, due.begun, box))
        finally:
            box.now = None
            while box.due:  # only where the task was cancelled
                self._drop_due(box.subscriber, box.due.popleft(), "the loop was stopped", "stopped")
            if self._mailboxes.get(box.subscriber.number) is box:
                del self._mailboxes[box.subscriber.number]

    async def _await_one(
        self, topic: str, subscriber: Subscriber, event: Event, begun: Any = None, box: _Mailbox | None = None
    ) -> None:
        try:
            result = subscriber.deliver(event) if begun is None else begun
            if to_await(result):
                await result
        except BaseException as error:
            if box is not None and box.given_up:
                return
            if is_failure(error):
                self._failed(topic, subscriber, event, error)
                return
            self.tally.failed(topic)
            self._bury(event, self._label(subscriber, event), error, "stopped")
            raise

    async def _flow_pending(self, plan: Plan, event: Event) -> None:
        await self._each_in_flow(plan, event, [(subscriber, None) for subscriber in plan.pending])

    async def _flow_late(self, plan: Plan, event: Event, late: list[Late]) -> None:
        await self._each_in_flow(plan, event, late)

    async def _each_in_flow(self, plan: Plan, event: Event, due: list[Late]) -> None:
        async def each() -> None:
            done = 0
            try:
                for subscriber, begun in due:
                    done += 1
                    await self._await_one(plan.topic, subscriber, event, begun)
            finally:
                for subscriber, begun in due[done:]:  # only where this was cancelled
                    self._drop_due(
                        subscriber, _Due(plan.topic, event, begun), "the publisher was interrupted", "stopped"
                    )

        await self._in_flow(event, each())

    async def _in_flow(self, event: Event, work: Awaitable[None]) -> None:
        """Await `work` as the delivery of `event`, then deliver what its handlers published."""
        flow = Flow(event, bus=self)
        token = FLOW.set(flow)
        try:
            await work
            if flow.queue:
                await self._drain_flow(flow)
        finally:
            self._flying.pop(flow, None)
            self._leave(flow)
            with contextlib.suppress(ValueError):  # a loop that was thrown away ends this in another context
                FLOW.reset(token)

    async def _flow(self, plan: Plan, event: Event) -> None:
        """`apublish`: await all handlers of the plan, then deliver what they published."""
        flow = Flow(event, bus=self)
        token = FLOW.set(flow)
        self._flying[flow] = (event.topic, plan.n)
        try:
            await self._adeliver(plan, event)
            if flow.queue:
                await self._drain_flow(flow)
        finally:
            self._flying.pop(flow, None)
            self._leave(flow)
            with contextlib.suppress(ValueError):
                FLOW.reset(token)

    def _leave(self, flow: Flow) -> None:
        flow.active = False
        while flow.queue:
            self._drop(flow.queue.popleft(), "the publisher was interrupted")

    async def _drain_flow(self, flow: Flow) -> None:
        while flow.queue:
            plan, event = flow.queue.popleft()
            await self._deliver_in_flow(flow, plan, event)
        self._flying.pop(flow, None)

    async def _deliver_in_flow(self, flow: Flow, plan: Plan, event: Event) -> None:
        flow.event = event
        self._flying[flow] = (plan.topic, plan.n)
        if plan.arun is not None:
            await self._adeliver(plan, event)
            return
        frame = self._frame()
        before, frame.gathered = frame.gathered, []
        try:
            self._deliver_now(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)
        finally:
            gathered, frame.gathered = frame.gathered, before
        await self._await_gathered(gathered)

    async def _adeliver(self, plan: Plan, event: Event) -> None:
        if not self._middleware:
            await self._arun(plan, event)
            return
        handed_on: list[_HandedOn] = []

        def final(e: Event) -> Any:
            handed_on.append(_HandedOn(lambda: self._arun(plan, e)))
            return handed_on[-1].coroutine

        result = self._through(plan, event, final)
        if inspect.isawaitable(result):
            await result
        for one in handed_on:
            await one.ensured(event.topic)

    async def _arun(self, plan: Plan, event: Event) -> None:
        assert plan.arun is not None
        try:
            await plan.arun(event)
        except BaseException as error:
            await self._arecover(plan, event, error)

    async def _arecover(self, plan: Plan, event: Event, error: BaseException) -> None:
        assert plan.arun is not None
        index = max(failed_at(error, plan.arun), 0)
        while True:
            subscriber = plan.subscribers[index]
            if not is_failure(error):
                self.tally.failed(plan.topic)
                self.tally.dropped(plan.topic, plan.n - index - 1)
                self._bury(event, self._label(subscriber, event), error, "stopped")
                raise error
            self._failed(plan.topic, subscriber, event, error)
            index += 1
            try:
                while index < plan.n:
                    result = plan.subscribers[index].deliver(event)
                    if type(result) not in PLAIN and to_await(result):
                        await result
                    index += 1
                return
            except BaseException as next_error:
                error = next_error

    # Waiting

    def _waiting(self) -> dict[str, int]:
        """topic -> deliveries that are counted but not done: under way, or in a queue."""
        found: dict[str, int] = {}

        def add(topic: str, n: int) -> None:
            found[topic] = found.get(topic, 0) + n

        for frame in self._frames:
            event, plan = frame.current, frame.plan
            if event is not None:
                entry = frame.every.get(event.topic)
                add(event.topic, plan.n if plan is not None else entry.plan.n if entry is not None else 0)
            for plan, _ in _copy(frame.queue):
                add(plan.topic, plan.n)
        for flow, (topic, n) in list(self._flying.items()):
            add(topic, n)
            for plan, _ in _copy(flow.queue):
                add(plan.topic, plan.n)
        for box in list(self._mailboxes.values()):
            if box.now is not None:
                add(box.now.topic, 1)
            for due in _copy(box.due):
                if due is not box.now:
                    add(due.topic, 1)
        return found

    def busy(self) -> bool:
        """Whether any delivery is under way or waits, in whichever thread but this one."""
        own = threading.get_ident()
        if self._flying or any(box.now is not None for box in list(self._mailboxes.values())):
            return True
        return any(f.current is not None and f.ident != own and f.thread.is_alive() for f in list(self._frames))

    def drain(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is under way, at most `timeout_s`; say whether that came true.

        Not for use inside an event loop that has handlers to run: use `adrain` there.
        """
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.busy():
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(0.001)
        return True

    async def adrain(self, timeout_s: float | None = None) -> bool:
        """`drain` for async code."""
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.busy():
            if end is not None and time.monotonic() >= end:
                return False
            await asyncio.sleep(0.001)
        return True

    async def cancel_async(self, timeout_s: float | None = None) -> list[str]:
        """Cancel the async handlers that were left to mailboxes; what they had not done counts as failed or dropped.

        Waits for their end, at most `timeout_s`, and names those that go on all the same.
        """
        tasks = [task for task in list(self._tasks) if task is not asyncio.current_task()]
        names = {task: self._tasks[task] for task in tasks}
        for task in tasks:
            task.cancel()
        left = (await asyncio.wait(tasks, timeout=timeout_s))[1] if tasks else set()
        return sorted(names[task] for task in left)


class _HandedOn:
    """A delivery that middleware was given to await, and may forget: then it is awaited all the same, once."""

    def __init__(self, deliver: Callable[[], Awaitable[None]]) -> None:
        self._deliver = deliver
        self._begun = False
        self.coroutine = self._once()

    async def _once(self) -> None:
        if not self._begun:
            self._begun = True
            await self._deliver()

    async def ensured(self, topic: str) -> None:
        if not self._begun:
            await asyncio.sleep(0)  # it may be in a task that was not run yet
        if not self._begun:
            log.warning("middleware did not return what next(event) gave it for %s; it was awaited all the same", topic)
            await self.coroutine


def _copy(queue: deque[Any] | None) -> list[Any]:
    while True:
        try:
            return list(queue or ())
        except RuntimeError:  # its owner changed it meanwhile
            continue
