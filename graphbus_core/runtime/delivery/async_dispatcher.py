"""Async delivery, as a task does it: `apublish` awaits every handler in order.

publish, in a thread   waits until the home loop has run the async handlers
publish, in a loop     cannot wait: `mailboxes`
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent import futures
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Protocol

from graphbus_core.errors import PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Origin
from graphbus_core.runtime.concurrency import await_in_own_context, get_running_loop
from graphbus_core.runtime.delivery.core import BusCore, Causation
from graphbus_core.runtime.delivery.frames import FLOW, Deferred, Flow, Frame, PendingAwaits, ThreadTopic, create_flow
from graphbus_core.runtime.delivery.outcomes import MiddlewareStack, Outcomes
from graphbus_core.runtime.delivery.plan import DeliveryPlan, find_failed, unwrap_stop_iteration
from graphbus_core.runtime.subscriptions.handlers import close_awaitable, is_awaitable
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Subscriber, Verdict

# Mailboxes: what waits for the async handlers of a sync publisher that is inside an event loop and cannot wait.
#
# Each handler takes one event at a time, in order; with `concurrency=n`, so many at once. A mailbox is touched by its
# own loop alone, and is taken over by another where that loop ended.


@dataclass(frozen=True, slots=True, eq=False)
class PendingDelivery:
    """A delivery that waits: published to `topic`; `begun` where the handler was called already."""

    topic: str
    event: Event
    begun: Any = None


class Mailbox:
    """What waits for one async subscriber, and what its workers are at."""

    __slots__ = ("due", "given_up", "loop", "now", "subscriber", "workers")

    def __init__(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber) -> None:
        self.due: deque[PendingDelivery] = deque()
        self.workers = 0
        self.now: dict[asyncio.Task[Any] | None, PendingDelivery] = {}  # what each worker is at
        self.given_up = False  # its loop ended: what it was at is counted as dropped
        self.loop = loop
        self.subscriber = subscriber


class FlowRunner(Protocol):
    """What a worker needs of those who deliver in tasks."""

    async def run_in_flow(self, flow: Flow, work: Awaitable[None]) -> None: ...
    async def await_one(
        self, topic: str, subscriber: Subscriber, event: Event, begun: Any = None, box: Mailbox | None = None
    ) -> None: ...


class Mailboxes:
    """The mailboxes of one bus."""

    def __init__(self, core: BusCore, outcomes: Outcomes, flows: FlowRunner) -> None:
        self._core = core
        self._outcomes = outcomes
        self._flows = flows
        self.boxes: dict[int, Mailbox] = {}
        self.tasks: dict[asyncio.Task[Any], str] = {}  # the workers, and whose

    def post_all(self, loop: asyncio.AbstractEventLoop, due: list[tuple[Subscriber, PendingDelivery]]) -> None:
        """Leave deliveries to their handlers' mailboxes. Raises QueueFull when all that fit were left."""
        self._core.home.adopt(loop)
        full: QueueFull | None = None
        for subscriber, pending in due:
            try:
                self._post(loop, subscriber, pending)
            except QueueFull as e:
                full = e
        if full is not None:
            raise full

    def _post(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber, due: PendingDelivery) -> None:
        limit = self._core.queue_limit
        box = self.boxes.get(subscriber.number)
        if box is None:
            box = self.boxes[subscriber.number] = Mailbox(loop, subscriber)
        elif box.loop is not loop and not box.loop.is_running():
            box = self._move_to_loop(box, loop)
        if len(box.due) >= limit:
            if self._core.on_full != "drop_oldest":
                close_awaitable(due.begun)
                self._core.tally.count_dropped(due.topic, 1)
                if self._core.ledger is not None:
                    self._core.ledger.mark_done(due.event, subscriber)
                full = QueueFull(
                    f"{limit} events wait for {subscriber.name} already. Publish with `await apublish(…)`, which "
                    f"waits for it, or raise queue_limit."
                )
                self._outcomes.dead_letter(due.event, self._outcomes.build_label(subscriber, due.event), full, "queue")
                raise full
            self.drop(subscriber, box.due.popleft(), f"the queue of {limit} was full", "queue")
        if box.loop is loop:
            self._enqueue(box, due)
        else:  # a mailbox is touched by its own loop alone
            box.loop.call_soon_threadsafe(self._enqueue, box, due)

    def _move_to_loop(self, box: Mailbox, loop: asyncio.AbstractEventLoop) -> Mailbox:
        """The loop of a mailbox ended: what waits there is handled on another, what was begun is given up."""
        box.given_up = True
        waiting = list(box.due)
        box.due.clear()
        for at_hand in box.now.values():
            self._core.tally.count_dropped(at_hand.topic, 1)
            label = self._outcomes.build_label(box.subscriber, at_hand.event)
            self._outcomes.dead_letter(at_hand.event, label, "its event loop ended", "stopped")
        fresh = self.boxes[box.subscriber.number] = Mailbox(loop, box.subscriber)
        for due in waiting:
            if loop is get_running_loop():
                self._enqueue(fresh, due)
            else:
                loop.call_soon_threadsafe(self._enqueue, fresh, due)
        return fresh

    def drop(self, subscriber: Subscriber, due: PendingDelivery, why: str, reason: str) -> None:
        """A delivery will never happen: count it, and keep it as a dead letter."""
        close_awaitable(due.begun)
        self._core.tally.count_dropped(due.topic, 1)
        self._outcomes.dead_letter(due.event, self._outcomes.build_label(subscriber, due.event), why, reason)
        if reason != "stopped" and self._core.ledger is not None:
            self._core.ledger.mark_done(due.event, subscriber)

    def _enqueue(self, box: Mailbox, due: PendingDelivery) -> None:
        box.due.append(due)
        if box.workers < box.subscriber.at_once:
            box.workers += 1
            self.boxes[box.subscriber.number] = box
            task = box.loop.create_task(self._work(box))
            self.tasks[task] = box.subscriber.name
            task.add_done_callback(lambda finished: self.tasks.pop(finished, None))

    async def _work(self, box: Mailbox) -> None:
        """Handle what waits, until nothing does."""
        worker = asyncio.current_task()
        try:
            while box.due:
                due = box.now[worker] = box.due.popleft()
                flow = create_flow(due.event, self._core)
                flow.subscriber = box.subscriber
                work = self._flows.await_one(due.topic, box.subscriber, due.event, due.begun, box)
                await self._flows.run_in_flow(flow, work)
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
        unfinished = (await asyncio.wait(tasks, timeout=timeout_s))[1] if tasks else set()
        return sorted(names[task] for task in unfinished)


MAX_HELPING = 32
log = logging.getLogger("graphbus.runtime")


class SyncDispatcher(Protocol):
    """What a task needs of the machine that delivers in its thread."""

    causes: Causation

    def find_entry(self, frame: Frame, topic: str, payload: Any) -> ThreadTopic: ...
    def publish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event: ...
    def announce(self, entry: ThreadTopic, payload: dict[str, Any], source: str, origin: Origin | None) -> Event: ...
    def check(self, plan: DeliveryPlan, event: Event) -> None: ...
    def enqueue(self, outer: Frame | Flow, plan: DeliveryPlan, event: Event) -> None: ...
    def deliver_now(self, frame: Frame, plan: DeliveryPlan, event: Event) -> None: ...


class AsyncDispatcher:
    """The async deliveries of one bus. `flying`: which are under way, and what of; `queued`: those with a queue."""

    def __init__(self, core: BusCore, outcomes: Outcomes, chain: MiddlewareStack, machine: SyncDispatcher) -> None:
        self._core = core
        self._outcomes = outcomes
        self._chain = chain
        self._machine = machine
        self.flying: dict[Flow, tuple[str, int]] = {}
        self.queued: set[Flow] = set()
        self.mailboxes = Mailboxes(core, outcomes, self)

    def owns(self, flow: Flow, frame: Frame) -> bool:
        """Whether what is published here waits in that flow's queue."""
        return flow.active and flow.bus is self._core and flow.ident == frame.ident

    def reset_after_fork(self) -> None:
        """This is a child process: what was under way stayed in the parent."""
        self.flying.clear()
        self.queued.clear()
        self.mailboxes.boxes.clear()
        self.mailboxes.tasks.clear()

    async def apublish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event:
        """`MessageBus.apublish` where something more than handlers is needed."""
        frame = self._core.frames.get_current()
        entry = self._machine.find_entry(frame, topic, payload)
        plan = entry.plan
        if self._core.carrier is not None:
            event = self._machine.announce(
                entry, payload, source, self._machine.causes.derive_origin(frame, plan.topic, key)
            )
            self._machine.check(plan, event)
            await self._core.carrier.apublish(event, frame)
            return event
        flow = FLOW.get()
        nested = flow is not None and self.owns(flow, frame)
        if nested and flow is not None and frame.current is None:
            await self._deliver_oldest(flow)
        if plan.arun is None:
            return await self._apublish_sync(frame, topic, payload, source, key)
        origin = self._machine.causes.derive_origin(frame, plan.topic, key)
        if (published_before := self._machine.causes.find_published_before(origin, payload, source)) is not None:
            return published_before
        event = self._machine.announce(entry, payload, source, origin)
        self._machine.check(plan, event)
        if frame.current is not None:
            self._machine.enqueue(frame, plan, event)
        elif nested and flow is not None:
            self._machine.enqueue(flow, plan, event)
        else:
            await self._deliver_in_new_flow(plan, event)
        return event

    async def _apublish_sync(
        self, frame: Frame, topic: str, payload: dict[str, Any], source: str, key: str | None
    ) -> Event:
        """`apublish` where all handlers are sync, and what they give back may have to be awaited."""
        gathered: list[PendingAwaits] = []
        before, frame.gathered = frame.gathered, gathered
        try:
            event = copy_context().run(self._machine.publish, topic, payload, source, key)
        except BaseException:
            self._drop_unawaited(gathered)
            raise
        finally:
            frame.gathered = before
        if gathered:
            await await_in_own_context(self._await_all(gathered))
        return event

    async def _await_all(self, gathered: list[PendingAwaits]) -> None:
        begun_count = 0
        try:
            for plan, event, due in gathered:
                begun_count += 1
                await self._complete_deferred(plan, event, due)
        finally:
            self._drop_unawaited(gathered[begun_count:])

    def _drop_unawaited(self, gathered: list[PendingAwaits]) -> None:
        """Nobody will await these: the publisher was cancelled, or a handler ended the program."""
        for plan, event, due in gathered:
            for subscriber, begun in due:
                pending = PendingDelivery(plan.topic, event, begun)
                self.mailboxes.drop(subscriber, pending, "the publisher was interrupted", "stopped")

    async def _deliver_oldest(self, flow: Flow) -> None:
        """A publisher whose queue is full waits for itself: it delivers the oldest events first, so far as it may."""
        while flow.queue and len(flow.queue) >= self._core.queue_limit and self._core.on_full == "wait":
            if flow.helping >= MAX_HELPING:
                return
            at_hand, flying = (flow.event, flow.plan, flow.subscriber, flow.ordinals), self.flying.get(flow)
            plan, event = flow.queue.popleft()
            flow.helping += 1
            try:
                await await_in_own_context(self._deliver_in_flow(flow, plan, event))
            finally:
                flow.helping -= 1
                flow.event, flow.plan, flow.subscriber, flow.ordinals = at_hand
                if flying is not None:
                    self.flying[flow] = flying
                else:
                    self.flying.pop(flow, None)

    # What a sync publisher leaves to be awaited

    def defer(self, frame: Frame, plan: DeliveryPlan, event: Event, due: list[Deferred]) -> None:
        """Async handlers of a sync delivery, or what sync ones gave back: `apublish` awaits them after it, a publisher
        in a thread waits for the home loop, and one in an event loop, who cannot wait, leaves them to mailboxes.
        """
        if frame.gathered is not None:
            frame.gathered.append((plan, event, due))
        elif (loop := get_running_loop()) is None:
            self._wait_on_background_loop(plan, event, due)
        else:
            self.mailboxes.post_all(loop, [(s, PendingDelivery(plan.topic, event, begun)) for s, begun in due])

    def _wait_on_background_loop(self, plan: DeliveryPlan, event: Event, due: list[Deferred]) -> None:
        """Wait for the home loop, so long as a publisher may: a handler that hangs goes on there alone."""
        limit = self._core.wait_s
        try:
            self._core.home.wait_for(self._complete_deferred(plan, event, due), limit, leave=True)
        except futures.TimeoutError:
            names = ", ".join(subscriber.name for subscriber, _ in due)
            log.warning(
                "a publisher of %s waited %g s for %s, and goes on: the event is still being handled",
                plan.topic,
                limit,
                names,
            )

    # Flows

    async def _complete_deferred(self, plan: DeliveryPlan, event: Event, due: list[Deferred]) -> None:
        flow = create_flow(event, self._core)
        self.flying[flow] = plan.topic, len(due)

        async def complete_each() -> None:
            begun_count = 0
            try:
                if self._core.together and len(due) > 1:
                    begun_count = len(due)
                    await self._deliver_concurrently(plan, event, due)
                    return
                for subscriber, begun in due:
                    begun_count += 1
                    flow.subscriber = subscriber
                    await self.await_one(plan.topic, subscriber, event, begun)
                    self.flying[flow] = plan.topic, len(due) - begun_count
            finally:
                self._drop_unawaited([(plan, event, due[begun_count:])])

        await self.run_in_flow(flow, complete_each())

    async def run_in_flow(self, flow: Flow, work: Awaitable[None]) -> None:
        """Await `work` as the delivery of the flow's event, then deliver what its handlers published."""
        token = FLOW.set(flow)
        try:
            await work
            if flow.queue:
                await self.drain(flow)
        finally:
            self.close_flow(flow)
            with contextlib.suppress(ValueError):  # a loop that was thrown away ends this in another context
                FLOW.reset(token)

    async def _deliver_in_new_flow(self, plan: DeliveryPlan, event: Event) -> None:
        """`apublish`: await all handlers of the plan, then deliver what they published."""
        flow = create_flow(event, self._core, plan)
        self.flying[flow] = (event.topic, plan.n)
        await await_in_own_context(self.run_in_flow(flow, self._deliver(flow, plan, event)))

    def close_flow(self, flow: Flow) -> None:
        """The flow is over; what is left in its queue reaches nobody."""
        flow.active, flow.failure = False, None
        self.flying.pop(flow, None)
        self.queued.discard(flow)
        while flow.queue:
            self._outcomes.record_drop(flow.queue.popleft(), "the publisher was interrupted")

    async def drain(self, flow: Flow) -> None:
        """Deliver what the flow's handlers published, oldest first."""
        while flow.queue:
            plan, event = flow.queue.popleft()
            await self._deliver_in_flow(flow, plan, event)
        self.flying.pop(flow, None)

    async def _deliver_in_flow(self, flow: Flow, plan: DeliveryPlan, event: Event) -> None:
        flow.event, flow.plan, flow.subscriber = event, plan, None
        self.flying[flow] = (plan.topic, plan.n)
        if plan.arun is not None:
            await self._deliver(flow, plan, event)
            return
        frame = self._core.frames.get_current()
        gathered: list[PendingAwaits] = []
        before, frame.gathered = frame.gathered, gathered
        try:
            self._machine.deliver_now(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)
        except BaseException:
            self._drop_unawaited(gathered)
            raise
        finally:
            frame.gathered = before
        await self._await_all(gathered)

    async def _deliver(self, flow: Flow, plan: DeliveryPlan, event: Event) -> None:
        for order in plan.orders:
            order.reserve(event)
        try:
            await self._deliver_in_order(flow, plan, event)
        finally:
            for order in plan.orders:
                order.release(event)

    async def _deliver_in_order(self, flow: Flow, plan: DeliveryPlan, event: Event) -> None:
        if not self._core.middleware:
            await self._run(flow, plan, event)
        else:
            await self.run_middleware(plan, event, lambda e: self._run(flow, plan, e))

    async def run_middleware(
        self, plan: DeliveryPlan, event: Event, deliver: Callable[[Event], Awaitable[None]]
    ) -> None:
        """Await `deliver` inside the middleware."""
        handed_on: list[_HandedOnDelivery] = []

        def hand_on(e: Event) -> Any:
            handed_on.append(_HandedOnDelivery(lambda: deliver(e)))
            return handed_on[-1].coroutine

        result = self._chain.run(plan, event, hand_on)
        if inspect.isawaitable(result):
            await result
        for delivery in handed_on:
            await delivery.ensure_delivered(event.topic)

    async def _run(self, flow: Flow, plan: DeliveryPlan, event: Event) -> None:
        if self._core.ledger is not None or self._core.together:
            await self.deliver_each(flow, plan, event, 0)
            return
        assert plan.arun is not None
        try:
            await plan.arun(event if plan.awants_event else event.payload)
            return
        except BaseException as error:
            failure = error
        await self.recover(flow, plan, event, failure)

    async def recover(self, flow: Flow, plan: DeliveryPlan, event: Event, error: BaseException) -> None:
        """A handler of a plan raised: note it and go on with those after it. Raises what is not a handler's failure."""
        assert plan.arun is not None
        error = unwrap_stop_iteration(error, plan.arun)
        index = max(find_failed(error, plan.arun), 0)
        subscriber = plan.subscribers[index]
        self._apply_verdict(plan, index, event, subscriber.judge(error, subscriber.attempts))
        await self.deliver_each(flow, plan, event, index + 1)

    async def deliver_each(self, flow: Flow, plan: DeliveryPlan, event: Event, first: int) -> None:
        """Give the event to the handlers from `first` on: one by one, or the async ones at once."""
        at_once: list[Deferred] = []
        for index in range(first, plan.n):
            subscriber = plan.subscribers[index]
            if subscriber.is_async and self._core.together:
                at_once.append((subscriber, None))
                continue
            flow.subscriber = subscriber
            with self._core.block_snapshot(subscriber):
                self._apply_verdict(plan, index, event, await _deliver_and_judge(subscriber, event))
        flow.subscriber = None
        if at_once:
            await self._deliver_concurrently(plan, event, at_once)

    async def _deliver_concurrently(self, plan: DeliveryPlan, event: Event, due: list[Deferred]) -> None:
        """Run handlers at once, each in a flow of its own, and wait for all of them."""

        async def deliver_one(subscriber: Subscriber, begun: Any) -> None:
            flow = create_flow(event, self._core)
            flow.subscriber = subscriber
            await self.run_in_flow(flow, self.await_one(plan.topic, subscriber, event, begun))

        await asyncio.gather(*(deliver_one(subscriber, begun) for subscriber, begun in due))

    def _apply_verdict(self, plan: DeliveryPlan, index: int, event: Event, verdict: Verdict) -> None:
        self._outcomes.settle(plan.topic, plan.subscribers[index], event, verdict)
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            self._core.tally.count_dropped(plan.topic, plan.n - index - 1)
            raise verdict.error

    async def await_one(
        self, topic: str, subscriber: Subscriber, event: Event, begun: Any = None, box: Mailbox | None = None
    ) -> None:
        """Give an event to one handler, or await what one gave back, and keep what became of it."""
        with self._core.block_snapshot(subscriber):
            verdict = await _deliver_and_judge(subscriber, event, begun)
            if box is not None and box.given_up:
                return  # its loop ended under it: that was counted then
            self._outcomes.settle(topic, subscriber, event, verdict)
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            raise verdict.error


async def _deliver_and_judge(subscriber: Subscriber, event: Event, begun: Any = None) -> Verdict:
    """The verdict after all attempts, made here."""
    try:
        returned = subscriber.deliver(event) if begun is None else begun
        if is_awaitable(returned):
            await returned
    except BaseException as error:
        failure = error
    else:
        return DONE
    return subscriber.judge(failure, subscriber.attempts)


class _HandedOnDelivery:
    """A delivery that middleware was given to await, and may forget: then it is awaited all the same, once."""

    def __init__(self, deliver: Callable[[], Awaitable[None]]) -> None:
        self._deliver = deliver
        self._begun = False
        self.coroutine = self._deliver_once()

    async def _deliver_once(self) -> None:
        if not self._begun:
            self._begun = True
            await self._deliver()

    async def ensure_delivered(self, topic: str) -> None:
        if not self._begun:
            await asyncio.sleep(0)  # it may be in a task that was not run yet
        if not self._begun:
            log.warning("middleware did not return what next(event) gave it for %s; it was awaited all the same", topic)
            await self.coroutine
