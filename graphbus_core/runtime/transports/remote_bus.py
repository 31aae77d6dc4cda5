"""A bus whose events travel over a transport: what is published goes out, what arrives is given to one handler.

The counterpart of `delivery.machine`, which delivers in this process. Both make events alike and judge failures alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Sequence
from concurrent import futures
from functools import partial
from typing import Any

from graphbus_core.errors import BadHandler, QueueFull, TransportDown
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import WorkerThreads, get_running_loop
from graphbus_core.runtime.delivery.async_dispatcher import AsyncDispatcher
from graphbus_core.runtime.delivery.core import BusCore
from graphbus_core.runtime.delivery.frames import FLOW, Flow, Frame, Outbox, create_flow
from graphbus_core.runtime.delivery.outcomes import MiddlewareStack, Outcomes
from graphbus_core.runtime.delivery.plan import DeliveryPlan, compile_plan
from graphbus_core.runtime.payloads import build_rejection
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Subscriber, Verdict
from graphbus_core.runtime.telemetry.observer import Observer
from graphbus_core.runtime.transports.port import Consumer, Transport

log = logging.getLogger("graphbus.runtime")
SLICE_S = 0.02  # in a thread before the loop hears of it: what is done in it is given again after a crash
MAX_PLANS = 1_000  # topics of patterns have no bound
AGAIN_S = 1.0  # before an event is given again whose consequences the transport did not take
UNKNOWN = "(middleware kept it)"


class RemoteBus:
    """Between one bus and its transport. The bus calls it in place of delivering."""

    def __init__(
        self, core: BusCore, outcomes: Outcomes, chain: MiddlewareStack, flows: AsyncDispatcher, transport: Transport
    ) -> None:
        self._core = core
        self._outcomes = outcomes
        self._chain = chain
        self._flows = flows
        self._transport = transport
        self._workers = WorkerThreads()
        self._consumers: dict[int, Consumer] = {}
        self._unconfirmed: set[futures.Future[None]] = set()
        self._plans: dict[tuple[str, int], DeliveryPlan] = {}

    # Out

    def publish(self, event: Event, frame: Frame) -> None:
        """Hand an event over. Outside of handlers: return when it is stored, or raise TransportDown.

        In a handler it is confirmed before the handler's event is acknowledged. In any other coroutine nobody can wait
        without `await`: what goes wrong then is logged, and becomes a dead letter.
        """
        outbox = self._find_outbox(frame)
        in_loop = get_running_loop() is not None
        waiting: Any = outbox if outbox is not None else self._unconfirmed
        if in_loop and len(waiting) >= self._core.queue_limit:
            self._core.tally.count_rejected(event.topic, 0)
            raise QueueFull(
                f"{len(waiting)} events wait for the transport to take them, and that is the bound (queue_limit): "
                f"publish with `await self.apublish(…)`, which waits."
            )
        sent = self._hand_over(event)
        if outbox is not None:
            outbox.append(sent)
            if len(outbox) >= self._core.queue_limit and not in_loop:
                self._wait_for(outbox.pop(0), event)
        elif in_loop:
            self._unconfirmed.add(sent)
            sent.add_done_callback(partial(self._check_confirmation, event))
        else:
            self._wait_for(sent, event)

    async def apublish(self, event: Event, frame: Frame) -> None:
        """`publish` for async code: waits, except in a handler, whose verdict waits for all of them."""
        outbox = self._find_outbox(frame)
        if outbox is not None and len(outbox) < self._core.queue_limit:
            outbox.append(self._hand_over(event))
            return
        try:
            async with asyncio.timeout(self._core.wait_s):
                await self._transport.apublish(event)
        except TimeoutError:
            self._core.tally.count_rejected(event.topic, 0)
            raise self._build_timeout_error(event) from None
        except BaseException:
            self._core.tally.count_rejected(event.topic, 0)
            raise

    def _find_outbox(self, frame: Frame) -> Outbox | None:
        if frame.current is not None:
            return frame.outbox
        flow = FLOW.get()
        if flow is not None and frame.calling is None and self._flows.owns(flow, frame):
            return flow.outbox
        return None

    def _hand_over(self, event: Event) -> futures.Future[None]:
        try:
            return self._transport.publish(event)
        except BaseException:
            self._core.tally.count_rejected(event.topic, 0)
            raise

    def _wait_for(self, sent: futures.Future[None], event: Event) -> None:
        try:
            sent.result(self._core.wait_s)
        except futures.TimeoutError:
            self._core.tally.count_rejected(event.topic, 0)
            raise self._build_timeout_error(event) from None
        except BaseException:
            self._core.tally.count_rejected(event.topic, 0)
            raise

    def _build_timeout_error(self, event: Event) -> TransportDown:
        return TransportDown(
            f"{self._transport.name} did not confirm an event of {event.topic} within {self._core.wait_s:g} s. Whether "
            f"it is stored is not known: publish it again, and whoever keeps ids sees that it came twice."
        )

    def _check_confirmation(self, event: Event, sent: futures.Future[None]) -> None:
        self._unconfirmed.discard(sent)
        error = CANCELLED if sent.cancelled() else sent.exception()
        if error is not None:
            log.error("%s did not take an event of %s: %s", self._transport.name, event.topic, error)
            self._core.tally.count_rejected(event.topic, 0)
            self._outcomes.dead_letter(event, "(transport)", error, "transport")

    # Who hears

    def consume(self, subscriber: Subscriber) -> None:
        """Let the transport bring this handler its events. Raises BadHandler where its name is taken."""
        lasting = subscriber.owner is not None
        durable = subscriber.durable if lasting else f"{subscriber.durable} #{subscriber.number}"
        if any(known_consumer.durable == durable for known_consumer in self._consumers.values()):
            raise BadHandler(
                f"{subscriber.name} hears {subscriber.topic} twice: a transport knows handlers by their names, so one "
                f"of the two would get nothing. Leave one out."
            )
        consumer = Consumer(
            durable,
            subscriber.topic,
            getattr(subscriber.owner, "name", ""),
            lasting,
            subscriber.attempts,
            subscriber.at_once,
            partial(self._ahandle, subscriber),
            None if subscriber.is_async else partial(self._ahandle_many, subscriber),
            is_ordered=subscriber.order is not None,
            key_of=subscriber.order.read_key if subscriber.order is not None else None,
        )
        self._consumers[subscriber.number] = consumer
        self._transport.consume(consumer)

    def observe(self, observers: tuple[Observer, ...]) -> None:
        """What they know of an event travels with it, where the transport leaves this process."""
        if hasattr(self._transport, "observers"):
            self._transport.observers = observers

    def release(self, subscriber: Subscriber) -> None:
        """It hears nothing more."""
        if (consumer := self._consumers.pop(subscriber.number, None)) is not None:
            self._transport.release(consumer)

    # In

    def _find_plan(self, topic: str, subscriber: Subscriber) -> DeliveryPlan:
        """The plan of one handler alone; compiled once, not for each event."""
        plan = self._plans.get((topic, subscriber.number))
        if plan is None or plan.subscribers[0] is not subscriber:  # a reload registers anew
            if len(self._plans) >= MAX_PLANS:
                self._plans.clear()
            plan = self._plans[topic, subscriber.number] = compile_plan(topic, (subscriber,))
        return plan

    async def _ahandle(self, subscriber: Subscriber, event: Event, attempt: int = 1) -> Verdict:
        """One attempt at an event that the transport brought, and everything that follows from it but the transport's
        part. Called on the home loop.
        """
        plan = self._find_plan(event.topic, subscriber)
        self._core.tally.count_begun(event.topic, 1)
        verdict, outbox = await self._make_attempt(plan, subscriber, event, attempt)
        await self._wait_for_confirmations(outbox)
        return self._conclude(subscriber, event, attempt, verdict, outbox)

    async def _ahandle_many(self, subscriber: Subscriber, batch: Sequence[tuple[Event, int]]) -> list[Verdict]:
        """`_ahandle` for the first of these, in one visit to a thread. For sync handlers."""
        flow = create_flow(batch[0][0], self._core)
        flow.subscriber, flow.outbox = subscriber, []
        self._flows.flying[flow] = batch[0][0].topic, 0  # the thread's frame counts
        try:
            results = (
                await self._workers.arun(subscriber.durable, partial(self._run_slice, subscriber, batch))
            ).result()
            if results[-1][0].given is not None:  # a plain function around an async one
                results[-1] = await self._settle_in_flow(flow, results[-1])
        except asyncio.CancelledError as error:
            self._core.tally.count_begun(batch[0][0].topic, 1)
            results = [(Verdict(Ruling.STOPPED, error, attempts=batch[0][1], reason="stopped"), [])]
        try:
            await self._wait_for_confirmations([sent for _, outbox in results for sent in outbox])
            return [
                self._conclude(subscriber, event, attempt, verdict, outbox)
                for (event, attempt), (verdict, outbox) in zip(batch, results, strict=False)
            ]
        finally:
            self._flows.close_flow(flow)  # only now: who waits for the bus to be idle may count next

    def _run_slice(self, subscriber: Subscriber, batch: Sequence[tuple[Event, int]]) -> list[tuple[Verdict, Outbox]]:
        """In a thread: one event after the other, until the slice is over or one needs the loop."""
        end = time.perf_counter() + SLICE_S
        results: list[tuple[Verdict, Outbox]] = []
        plan = self._find_plan(batch[0][0].topic, subscriber)
        for event, attempt in batch:
            if event.topic != plan.topic:
                plan = self._find_plan(event.topic, subscriber)
            self._core.tally.count_begun(event.topic, 1)
            refused = self._check_payload(subscriber, event, attempt)
            result = (refused, []) if refused is not None else self._run_in_thread(plan, subscriber, event, attempt)
            results.append(result)
            if result[0].given is not None or result[0].ruling is Ruling.STOPPED or time.perf_counter() > end:
                break
        return results

    @staticmethod
    async def _settle_in_flow(flow: Flow, result: tuple[Verdict, Outbox]) -> tuple[Verdict, Outbox]:
        verdict, sent = result
        token = FLOW.set(flow)
        try:
            assert flow.subscriber is not None
            verdict = await flow.subscriber.settle(verdict)
        finally:
            with contextlib.suppress(ValueError):
                FLOW.reset(token)
        return verdict, [*sent, *(flow.outbox or ())]

    def _conclude(
        self, subscriber: Subscriber, event: Event, attempt: int, verdict: Verdict, outbox: Outbox
    ) -> Verdict:
        """What follows from a verdict; RETRY in its place where the transport did not take what was published."""
        tally, topic = self._core.tally, event.topic
        if outbox and verdict.ruling is not Ruling.STOPPED:
            verdict = self._check_sent(outbox, verdict, event, attempt)
        match verdict.ruling:
            case Ruling.RETRY | Ruling.STOPPED:
                tally.count_begun(topic, -1)  # it is delivered when it is given again
                log.info("%s gets %s (%s) again: %r", subscriber.name, topic, event.event_id, verdict.error)
            case _ if verdict.reason != UNKNOWN:
                self._outcomes.settle(topic, subscriber, event, verdict)
        return verdict

    async def _make_attempt(
        self, plan: DeliveryPlan, subscriber: Subscriber, event: Event, attempt: int
    ) -> tuple[Verdict, Outbox]:
        if (refused := self._check_payload(subscriber, event, attempt)) is not None:
            return refused, []
        flow = create_flow(event, self._core)
        flow.subscriber, flow.outbox = subscriber, []
        self._flows.flying[flow] = event.topic, 1
        verdict, sent = DONE, list[futures.Future[None]]()
        token = FLOW.set(flow)
        try:
            if subscriber.is_async:
                verdict = await self._run_in_flow(flow, plan, event, attempt)
            else:
                work = partial(self._run_in_thread, plan, subscriber, event, attempt)
                self._flows.flying[flow] = event.topic, 0  # the thread's frame counts it
                verdict, sent = (await self._workers.arun(subscriber.durable, work)).result()
                if verdict.given is not None:  # a plain function around an async one
                    verdict = await subscriber.settle(verdict)
        except asyncio.CancelledError as error:
            verdict = Verdict(Ruling.STOPPED, error, attempts=attempt, reason="stopped")
        finally:
            self._flows.close_flow(flow)
            with contextlib.suppress(ValueError):  # a loop that was thrown away ends this in another context
                FLOW.reset(token)
        return verdict, [*sent, *flow.outbox]

    def _check_payload(self, subscriber: Subscriber, event: Event, attempt: int) -> Verdict | None:
        """The border of this process: another one may have published what breaks the contract that holds here."""
        check = self._core.checks.find_topic_check(event.topic)
        violation = check(event.payload) if check is not None else None
        if violation is None:
            return None
        error = build_rejection(event.topic, violation)
        if self._core.checks.is_enforced:
            self._core.tally.count_violation()
            return Verdict(Ruling.DEAD, error, attempts=attempt, reason="payload")
        self._outcomes.record_violation(event, subscriber.name, error)
        log.warning("payload check: %s", error)
        return None

    async def _run_in_flow(self, flow: Flow, plan: DeliveryPlan, event: Event, attempt: int) -> Verdict:
        subscriber = plan.subscribers[0]
        if not self._core.middleware:
            return await subscriber.ahandle(event, attempt)
        verdicts: list[Verdict] = []

        async def deliver(handed_on: Event) -> None:
            verdicts.append(await subscriber.ahandle(handed_on, attempt))

        await self._flows.run_middleware(plan, event, deliver)
        return verdicts[-1] if verdicts else Verdict(Ruling.DONE, reason=UNKNOWN)

    def _run_in_thread(
        self, plan: DeliveryPlan, subscriber: Subscriber, event: Event, attempt: int
    ) -> tuple[Verdict, Outbox]:
        """A sync handler, in a thread that does nothing else meanwhile."""
        frame = self._core.frames.get_current()
        outbox = frame.outbox = []
        frame.current, frame.plan, frame.subscriber, frame.ordinals = event, plan, subscriber, None
        verdicts: list[Verdict] = []

        def deliver(handed_on: Event) -> Any:
            verdicts.append(subscriber.handle(handed_on, attempt))
            return verdicts[-1].given

        try:
            if self._core.middleware:
                self._chain.run(plan, event, deliver)
            else:
                deliver(event)
        finally:
            frame.current = frame.plan = frame.subscriber = frame.ordinals = frame.outbox = None
        return verdicts[-1] if verdicts else Verdict(Ruling.DONE, reason=UNKNOWN), outbox

    async def _wait_for_confirmations(self, outbox: Outbox) -> None:
        """Wait until the transport has all of these, or refused them, or it takes too long."""
        waiting = [sent for sent in outbox if not sent.done()]
        if not waiting:
            return
        loop, over, lock, remaining = asyncio.get_running_loop(), asyncio.Event(), threading.Lock(), len(waiting)

        def count_done(_: futures.Future[None]) -> None:
            nonlocal remaining
            with lock:
                remaining -= 1
                last = not remaining
            if last:  # one wake-up for all: `wrap_future` makes one for each, and each costs a system call
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(over.set)

        for sent in waiting:
            sent.add_done_callback(count_done)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._core.wait_s):
                await over.wait()

    def _check_sent(self, outbox: Outbox, verdict: Verdict, event: Event, attempt: int) -> Verdict:
        """The verdict where the transport has everything that the handler published; else RETRY."""
        failed = [sent for sent in outbox if not sent.done() or sent.cancelled() or sent.exception() is not None]
        if not failed:
            return verdict
        error = (
            failed[0].exception()
            if failed[0].done() and not failed[0].cancelled()
            else self._build_timeout_error(event)
        )
        return Verdict(Ruling.RETRY, error, AGAIN_S, attempt - 1, "transport")  # not the handler's failure

    # Life

    async def wait_until_settled(self, timeout_s: float) -> None:
        """Wait, so long at most, until handlers of this process have what was published."""
        await self._transport.wait_until_settled(timeout_s)

    async def drain(self, end: float) -> list[str]:
        """Let nothing in any more, and wait until `end` (monotonic) for what is under way and for what was handed over
        without waiting; say what was left.
        """
        unfinished = []
        if not await self._transport.drain(max(end - time.monotonic(), 0) * 0.8):
            unfinished.append("the transport's deliveries")
        waiting = [asyncio.wrap_future(sent) for sent in list(self._unconfirmed)]
        if waiting and (await asyncio.wait(waiting, timeout=max(end - time.monotonic(), 0)))[1]:
            unfinished.append("events that the transport did not confirm")
        return unfinished

    def close(self) -> None:
        """No handler runs any more."""
        self._workers.close()


CANCELLED = TransportDown("The transport was closed before the event was stored.")
