"""Async delivery: `apublish`, the async handlers of sync publishers, and waiting until nothing is under way.

apublish               awaits every handler in order
publish, in a thread   waits until the home loop has run the async handlers
publish, in a loop     cannot wait: each async handler has a bounded mailbox, and takes one event at a time
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import PayloadRejected, QueueFull
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery import Delivery
from graphbus_core.runtime.frames import FLOW, Flow
from graphbus_core.runtime.home import running_loop
from graphbus_core.runtime.plan import Plan, Subscriber, failed_at

if TYPE_CHECKING:
    from graphbus_core.runtime.dead_letters import DeadLetter

log = logging.getLogger("graphbus.runtime")


class _Mailbox:
    """What waits for one async subscriber."""

    __slots__ = ("busy", "events", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.events: deque[Event] = deque()
        self.busy: str | None = None  # the topic of the event that is being handled
        self.loop = loop


class AwaitedDelivery(Delivery):
    """`Delivery`, with everything that can be awaited."""

    def __init__(self, *, journal: Any, timestamps: bool) -> None:
        super().__init__(journal=journal, timestamps=timestamps)
        self._mailboxes: dict[int, _Mailbox] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._flying: dict[Flow, tuple[str, int]] = {}

    async def apublish(self, topic: str, payload: dict[str, Any], source: str = "system") -> Event:
        """Publish to `topic`, await every handler in order, and return the event.

        Inside a handler it returns at once: the event waits, as with `publish`, until the event at hand is done.
        """
        frame = self._frame()
        entry = self._entry_for(frame, topic, payload)
        plan = entry.plan
        if plan.arun is None:
            return self._publish(topic, payload, source)
        flow = FLOW.get()
        event = self._announce(entry, payload, source, flow.event.event_id if flow is not None else frame.cause)
        self._check(plan, event)
        if frame.current is not None:
            self._enqueue(frame, plan, event)
        elif flow is not None and flow.active and flow.bus is self and flow.ident == frame.ident:
            self._enqueue(flow, plan, event)
        else:
            await self._flow(plan, event)
        return event

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
                self._post(loop, subscriber, event)
            except QueueFull as e:
                full = e
        if full is not None:
            raise full

    def _post(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber, event: Event) -> None:
        box = self._mailboxes.get(subscriber.number)
        if box is None or (box.loop is not loop and box.loop.is_closed()):
            box = self._mailboxes[subscriber.number] = _Mailbox(loop)
        if len(box.events) >= self.queue_limit:
            if self.on_full != "drop_oldest":
                self.tally.dropped(event.topic, 1)
                full = QueueFull(
                    f"{self.queue_limit} events wait for {subscriber.name} already. Publish with "
                    f"`await apublish(…)`, which waits for it, or raise queue_limit."
                )
                self._bury(event, subscriber.name, full, "queue")
                raise full
            oldest = box.events.popleft()
            self.tally.dropped(oldest.topic, 1)
            self._bury(oldest, subscriber.name, f"the queue of {self.queue_limit} was full", "queue")
        if box.loop is loop:
            self._put(box, subscriber, event)
        else:  # a mailbox is touched by its own loop alone
            box.loop.call_soon_threadsafe(self._put, box, subscriber, event)

    def _put(self, box: _Mailbox, subscriber: Subscriber, event: Event) -> None:
        box.events.append(event)
        if box.busy is None:
            box.busy = event.topic
            self._mailboxes[subscriber.number] = box
            task = box.loop.create_task(self._work(box, subscriber))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, box: _Mailbox, subscriber: Subscriber) -> None:
        try:
            while box.events:
                event = box.events.popleft()
                box.busy = event.topic
                await self._in_flow(event, self._await_one(subscriber, event))
        finally:
            box.busy = None
            for event in box.events:  # only where the task was cancelled
                self.tally.dropped(event.topic, 1)
                self._bury(event, subscriber.name, "the loop was stopped", "stopped")
            box.events.clear()
            self._mailboxes.pop(subscriber.number, None)

    async def _await_one(self, subscriber: Subscriber, event: Event) -> None:
        try:
            await subscriber.deliver(event)
        except Exception as error:
            self._failed(subscriber, event, error)
        except BaseException as error:
            self.tally.failed(event.topic)
            self._bury(event, subscriber.name, error, "stopped")
            raise

    async def _flow_pending(self, plan: Plan, event: Event) -> None:
        async def each() -> None:
            for subscriber in plan.pending:
                await self._await_one(subscriber, event)

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
            self._leave(flow)
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
            FLOW.reset(token)

    def _leave(self, flow: Flow) -> None:
        flow.active = False
        while flow.queue:
            self._drop(flow.queue.popleft(), "the publisher was interrupted")

    async def _drain_flow(self, flow: Flow) -> None:
        while flow.queue:
            plan, event = flow.queue.popleft()
            flow.event = event
            self._flying[flow] = (event.topic, plan.n)
            if plan.arun is None:
                frame = self._frame()
                try:
                    self._deliver_now(frame, plan, event)
                except PayloadRejected:
                    log.exception("a payload was changed after it was published to %s", event.topic)
            else:
                await self._adeliver(plan, event)
        self._flying.pop(flow, None)

    async def _adeliver(self, plan: Plan, event: Event) -> None:
        if self._middleware:
            result = self._through(plan, event, lambda e: self._arun(plan, e))
            if inspect.isawaitable(result):
                await result
            return
        await self._arun(plan, event)

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
            if not isinstance(error, Exception):
                self.tally.failed(event.topic)
                self.tally.dropped(event.topic, plan.n - index - 1)
                self._bury(event, subscriber.name, error, "stopped")
                raise error
            self._failed(subscriber, event, error)
            index += 1
            try:
                while index < plan.n:
                    result = plan.subscribers[index].deliver(event)
                    if plan.subscribers[index].is_async:
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
            for plan, queued in _copy(frame.queue):
                add(queued.topic, plan.n)
        for flow, (topic, n) in list(self._flying.items()):
            add(topic, n)
            for plan, queued in _copy(flow.queue):
                add(queued.topic, plan.n)
        for box in list(self._mailboxes.values()):
            if box.busy is not None:
                add(box.busy, 1)
            for event in _copy(box.events):
                add(event.topic, 1)
        return found

    def busy(self) -> bool:
        """Whether any delivery is under way or waits, in whichever thread but this one."""
        own = threading.get_ident()
        if self._flying or any(box.busy is not None for box in list(self._mailboxes.values())):
            return True
        return any(f.current is not None for f in list(self._frames) if f.ident != own)

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

    async def cancel_async(self) -> None:
        """Cancel the async handlers that were left to mailboxes; what they had not done counts as failed or dropped."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Dead letters

    def retry_dead_letter(self, letter: DeadLetter) -> bool:
        """Deliver a dead letter once more, to the subscriber that failed; say whether it went well.

        A letter whose subscriber is gone, or which never reached any, is published to whoever listens now.
        """
        event = Event(**letter.event)
        heard = self.subscribers(letter.topic)
        targets = [s for s in heard if s.name == letter.subscriber] or list(heard)
        try:
            for subscriber in targets:
                result = subscriber.deliver(event)
                if subscriber.is_async:
                    self.home.wait_for(_awaited(result))
        except Exception as error:
            self.dead_letters.failed_again(letter, error)
            log.error("retry of %s failed: %r", letter.id, error)
            return False
        self.tally.begun(letter.topic, len(targets))
        self.dead_letters.remove(letter.id)
        return True


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _copy(queue: deque[Any] | None) -> list[Any]:
    while True:
        try:
            return list(queue or ())
        except RuntimeError:  # its owner changed it meanwhile
            continue
