"""Async delivery, as a task does it: `apublish` awaits every handler in order.

publish, in a thread   waits until the home loop has run the async handlers
publish, in a loop     cannot wait: `mailboxes`
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Awaitable, Callable
from concurrent import futures
from typing import Any, Protocol

from graphbus_core.errors import PayloadRejected
from graphbus_core.model.message import Event, Origin
from graphbus_core.runtime.delivery.causes import Causes
from graphbus_core.runtime.delivery.chain import Chain
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import FLOW, Flow, Frame, Gathered, Late, ThreadTopic, new_flow
from graphbus_core.runtime.delivery.mailboxes import Due, Mailbox, Mailboxes
from graphbus_core.runtime.delivery.outcomes import Outcomes
from graphbus_core.runtime.handling.handlers import to_await
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.handling.plan import Plan, failed_at
from graphbus_core.runtime.handling.subscriber import DONE, Ruling, Subscriber, Verdict

MAX_HELPING = 32
log = logging.getLogger("graphbus.runtime")


class Here(Protocol):
    """What a task needs of the machine that delivers in its thread."""

    causes: Causes

    def entry_for(self, frame: Frame, topic: str, payload: Any) -> ThreadTopic: ...
    def publish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event: ...
    def announce(self, entry: ThreadTopic, payload: dict[str, Any], source: str, origin: Origin | None) -> Event: ...
    def check(self, plan: Plan, event: Event) -> None: ...
    def enqueue(self, outer: Frame | Flow, plan: Plan, event: Event) -> None: ...
    def deliver_now(self, frame: Frame, plan: Plan, event: Event) -> None: ...


class Flows:
    """The async deliveries of one bus. `flying`: which are under way, and what of; `queued`: those with a queue."""

    def __init__(self, core: Core, outcomes: Outcomes, chain: Chain, machine: Here) -> None:
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

    def forked(self) -> None:
        """This is a child process: what was under way stayed in the parent."""
        self.flying.clear()
        self.queued.clear()
        self.mailboxes.boxes.clear()
        self.mailboxes.tasks.clear()

    async def apublish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event:
        """`MessageBus.apublish` where something more than handlers is needed."""
        frame = self._core.frames.here()
        entry = self._machine.entry_for(frame, topic, payload)
        plan = entry.plan
        if self._core.carrier is not None:
            event = self._machine.announce(entry, payload, source, self._machine.causes.origin(frame, plan.topic, key))
            self._machine.check(plan, event)
            await self._core.carrier.apublish(event, frame)
            return event
        flow = FLOW.get()
        nested = flow is not None and self.owns(flow, frame)
        if nested and flow is not None and frame.current is None:
            await self._help(flow)
        if plan.arun is None:
            return await self._apublish_sync(frame, topic, payload, source, key)
        origin = self._machine.causes.origin(frame, plan.topic, key)
        if (known := self._machine.causes.known(origin, payload, source)) is not None:
            return known
        event = self._machine.announce(entry, payload, source, origin)
        self._machine.check(plan, event)
        if frame.current is not None:
            self._machine.enqueue(frame, plan, event)
        elif nested and flow is not None:
            self._machine.enqueue(flow, plan, event)
        else:
            await self._flow(plan, event)
        return event

    async def _apublish_sync(
        self, frame: Frame, topic: str, payload: dict[str, Any], source: str, key: str | None
    ) -> Event:
        """`apublish` where all handlers are sync, and what they give back may have to be awaited."""
        gathered: list[Gathered] = []
        before, frame.gathered = frame.gathered, gathered
        try:
            event = self._machine.publish(topic, payload, source, key)
        except BaseException:
            self._never(gathered)
            raise
        finally:
            frame.gathered = before
        if gathered:
            await self._await_all(gathered)
        return event

    async def _await_all(self, gathered: list[Gathered]) -> None:
        done = 0
        try:
            for plan, event, due in gathered:
                done += 1
                await self._each_in_flow(plan, event, due)
        finally:
            self._never(gathered[done:])

    def _never(self, gathered: list[Gathered]) -> None:
        """Nobody will await these: the publisher was cancelled, or a handler ended the program."""
        for plan, event, due in gathered:
            for subscriber, begun in due:
                one = Due(plan.topic, event, begun)
                self.mailboxes.drop(subscriber, one, "the publisher was interrupted", "stopped")

    async def _help(self, flow: Flow) -> None:
        """A publisher whose queue is full waits for itself: it delivers the oldest events first, so far as it may."""
        while flow.queue and len(flow.queue) >= self._core.queue_limit and self._core.on_full == "wait":
            if flow.helping >= MAX_HELPING:
                return
            at_hand, flying = (flow.event, flow.plan, flow.subscriber, flow.ordinals), self.flying.get(flow)
            plan, event = flow.queue.popleft()
            flow.helping += 1
            try:
                await self._deliver_in_flow(flow, plan, event)
            finally:
                flow.helping -= 1
                flow.event, flow.plan, flow.subscriber, flow.ordinals = at_hand
                if flying is not None:
                    self.flying[flow] = flying
                else:
                    self.flying.pop(flow, None)

    # What a sync publisher leaves to be awaited

    def later(self, frame: Frame, plan: Plan, event: Event, due: list[Late]) -> None:
        """Async handlers of a sync delivery, or what sync ones gave back: `apublish` awaits them after it, a publisher
        in a thread waits for the home loop, and one in an event loop, who cannot wait, leaves them to mailboxes.
        """
        if frame.gathered is not None:
            frame.gathered.append((plan, event, due))
        elif (loop := running_loop()) is None:
            self._wait(plan, event, due)
        else:
            self.mailboxes.post_all(loop, [(s, Due(plan.topic, event, begun)) for s, begun in due])

    def _wait(self, plan: Plan, event: Event, due: list[Late]) -> None:
        """Wait for the home loop, so long as a publisher may: a handler that hangs goes on there alone."""
        limit = self._core.wait_s
        try:
            self._core.home.wait_for(self._each_in_flow(plan, event, due), limit, leave=True)
        except futures.TimeoutError:
            names = ", ".join(subscriber.name for subscriber, _ in due)
            log.warning(
                "a publisher of %s waited %g s for %s, and goes on: the event is still being handled",
                plan.topic,
                limit,
                names,
            )

    # Flows

    async def _each_in_flow(self, plan: Plan, event: Event, due: list[Late]) -> None:
        flow = new_flow(event, self._core)
        self.flying[flow] = plan.topic, len(due)

        async def each() -> None:
            done = 0
            try:
                if self._core.together and len(due) > 1:
                    done = len(due)
                    await self._together(plan, event, due)
                    return
                for subscriber, begun in due:
                    done += 1
                    flow.subscriber = subscriber
                    await self.await_one(plan.topic, subscriber, event, begun)
                    self.flying[flow] = plan.topic, len(due) - done
            finally:
                self._never([(plan, event, due[done:])])

        await self.in_flow(flow, each())

    async def in_flow(self, flow: Flow, work: Awaitable[None]) -> None:
        """Await `work` as the delivery of the flow's event, then deliver what its handlers published."""
        token = FLOW.set(flow)
        try:
            await work
            if flow.queue:
                await self.drain(flow)
        finally:
            self.leave(flow)
            with contextlib.suppress(ValueError):  # a loop that was thrown away ends this in another context
                FLOW.reset(token)

    async def _flow(self, plan: Plan, event: Event) -> None:
        """`apublish`: await all handlers of the plan, then deliver what they published."""
        flow = new_flow(event, self._core, plan)
        self.flying[flow] = (event.topic, plan.n)
        await self.in_flow(flow, self._deliver(flow, plan, event))

    def leave(self, flow: Flow) -> None:
        """The flow is over; what is left in its queue reaches nobody."""
        flow.active, flow.failure = False, None
        self.flying.pop(flow, None)
        self.queued.discard(flow)
        while flow.queue:
            self._outcomes.dropped(flow.queue.popleft(), "the publisher was interrupted")

    async def drain(self, flow: Flow) -> None:
        """Deliver what the flow's handlers published, oldest first."""
        while flow.queue:
            plan, event = flow.queue.popleft()
            await self._deliver_in_flow(flow, plan, event)
        self.flying.pop(flow, None)

    async def _deliver_in_flow(self, flow: Flow, plan: Plan, event: Event) -> None:
        flow.event, flow.plan, flow.subscriber = event, plan, None
        self.flying[flow] = (plan.topic, plan.n)
        if plan.arun is not None:
            await self._deliver(flow, plan, event)
            return
        frame = self._core.frames.here()
        gathered: list[Gathered] = []
        before, frame.gathered = frame.gathered, gathered
        try:
            self._machine.deliver_now(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)
        except BaseException:
            self._never(gathered)
            raise
        finally:
            frame.gathered = before
        await self._await_all(gathered)

    async def _deliver(self, flow: Flow, plan: Plan, event: Event) -> None:
        if not self._core.middleware:
            await self._run(flow, plan, event)
        else:
            await self.through(plan, event, lambda e: self._run(flow, plan, e))

    async def through(self, plan: Plan, event: Event, deliver: Callable[[Event], Awaitable[None]]) -> None:
        """Await `deliver` inside the middleware."""
        handed_on: list[_HandedOn] = []

        def final(e: Event) -> Any:
            handed_on.append(_HandedOn(lambda: deliver(e)))
            return handed_on[-1].coroutine

        result = self._chain.through(plan, event, final)
        if inspect.isawaitable(result):
            await result
        for one in handed_on:
            await one.ensured(event.topic)

    async def _run(self, flow: Flow, plan: Plan, event: Event) -> None:
        if self._core.ledger is not None or self._core.together:
            await self.each(flow, plan, event, 0)
            return
        assert plan.arun is not None
        try:
            await plan.arun(event if plan.awants_event else event.payload)
            return
        except BaseException as error:
            failure = error
        await self.recover(flow, plan, event, failure)

    async def recover(self, flow: Flow, plan: Plan, event: Event, error: BaseException) -> None:
        """A handler of a plan raised: note it and go on with those after it. Raises what is not a handler's failure."""
        assert plan.arun is not None
        index = max(failed_at(error, plan.arun), 0)
        subscriber = plan.subscribers[index]
        self._ruled(plan, index, event, subscriber.judge(error, subscriber.attempts))
        await self.each(flow, plan, event, index + 1)

    async def each(self, flow: Flow, plan: Plan, event: Event, first: int) -> None:
        """Give the event to the handlers from `first` on: one by one, or the async ones at once."""
        at_once: list[Late] = []
        for index in range(first, plan.n):
            subscriber = plan.subscribers[index]
            if subscriber.is_async and self._core.together:
                at_once.append((subscriber, None))
                continue
            flow.subscriber = subscriber
            with self._core.working(subscriber):
                self._ruled(plan, index, event, await _verdict(subscriber, event))
        flow.subscriber = None
        if at_once:
            await self._together(plan, event, at_once)

    async def _together(self, plan: Plan, event: Event, due: list[Late]) -> None:
        """Run handlers at once, each in a flow of its own, and wait for all of them."""

        async def one(subscriber: Subscriber, begun: Any) -> None:
            flow = new_flow(event, self._core)
            flow.subscriber = subscriber
            await self.in_flow(flow, self.await_one(plan.topic, subscriber, event, begun))

        await asyncio.gather(*(one(subscriber, begun) for subscriber, begun in due))

    def _ruled(self, plan: Plan, index: int, event: Event, verdict: Verdict) -> None:
        self._outcomes.settle(plan.topic, plan.subscribers[index], event, verdict)
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            self._core.tally.dropped(plan.topic, plan.n - index - 1)
            raise verdict.error

    async def await_one(
        self, topic: str, subscriber: Subscriber, event: Event, begun: Any = None, box: Mailbox | None = None
    ) -> None:
        """Give an event to one handler, or await what one gave back, and keep what became of it."""
        with self._core.working(subscriber):
            verdict = await _verdict(subscriber, event, begun)
            if box is not None and box.given_up:
                return  # its loop ended under it: that was counted then
            self._outcomes.settle(topic, subscriber, event, verdict)
        if verdict.ruling is Ruling.STOPPED:
            assert verdict.error is not None
            raise verdict.error


async def _verdict(subscriber: Subscriber, event: Event, begun: Any = None) -> Verdict:
    """The verdict after all attempts, made here."""
    try:
        given = subscriber.deliver(event) if begun is None else begun
        if to_await(given):
            await given
    except BaseException as error:
        failure = error
    else:
        return DONE
    return subscriber.judge(failure, subscriber.attempts)


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
