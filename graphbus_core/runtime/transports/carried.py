"""A bus whose events travel over a transport: what is published goes out, what arrives is given to one handler.

The counterpart of `delivery.machine`, which delivers in this process. Both make events alike and judge failures alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent import futures
from functools import partial
from typing import Any

from graphbus_core.errors import BadHandler, QueueFull, TransportDown
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery.awaited import Flows
from graphbus_core.runtime.delivery.chain import Chain
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import FLOW, Flow, Frame, Outbox, new_flow
from graphbus_core.runtime.delivery.outcomes import Outcomes
from graphbus_core.runtime.handling.checks import rejection
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.handling.plan import Plan, compile_plan
from graphbus_core.runtime.handling.subscriber import DONE, Ruling, Subscriber, Verdict
from graphbus_core.runtime.transports.port import Consumer, Transport
from graphbus_core.runtime.transports.workers import Workers

log = logging.getLogger("graphbus.runtime")
AGAIN_S = 1.0  # before an event is given again whose consequences the transport did not take
UNKNOWN = "(middleware kept it)"


class Carried:
    """Between one bus and its transport. The bus calls it in place of delivering."""

    def __init__(self, core: Core, outcomes: Outcomes, chain: Chain, flows: Flows, transport: Transport) -> None:
        self._core = core
        self._outcomes = outcomes
        self._chain = chain
        self._flows = flows
        self._transport = transport
        self._workers = Workers()
        self._consumers: dict[int, Consumer] = {}
        self._unconfirmed: set[futures.Future[None]] = set()

    # Out

    def publish(self, event: Event, frame: Frame) -> None:
        """Hand an event over. Outside of handlers: return when it is stored, or raise TransportDown.

        In a handler it is confirmed before the handler's event is acknowledged. In any other coroutine nobody can wait
        without `await`: what goes wrong then is logged, and becomes a dead letter.
        """
        outbox = self._outbox(frame)
        in_loop = running_loop() is not None
        waiting: Any = outbox if outbox is not None else self._unconfirmed
        if in_loop and len(waiting) >= self._core.queue_limit:
            self._core.tally.reject(event.topic, 0)
            raise QueueFull(
                f"{len(waiting)} events wait for the transport to take them, and that is the bound (queue_limit): "
                f"publish with `await self.apublish(…)`, which waits."
            )
        sent = self._handed_over(event)
        if outbox is not None:
            outbox.append(sent)
            if len(outbox) >= self._core.queue_limit and not in_loop:
                self._wait_for(outbox.pop(0), event)
        elif in_loop:
            self._unconfirmed.add(sent)
            sent.add_done_callback(partial(self._confirmed, event))
        else:
            self._wait_for(sent, event)

    async def apublish(self, event: Event, frame: Frame) -> None:
        """`publish` for async code: waits, except in a handler, whose verdict waits for all of them."""
        outbox = self._outbox(frame)
        if outbox is not None and len(outbox) < self._core.queue_limit:
            outbox.append(self._handed_over(event))
            return
        try:
            await asyncio.wait_for(self._transport.apublish(event), self._core.wait_s)
        except TimeoutError:
            self._core.tally.reject(event.topic, 0)
            raise self._late(event) from None
        except BaseException:
            self._core.tally.reject(event.topic, 0)
            raise

    def _outbox(self, frame: Frame) -> Outbox | None:
        if frame.current is not None:
            return frame.outbox
        flow = FLOW.get()
        if flow is not None and frame.calling is None and self._flows.owns(flow, frame):
            return flow.outbox
        return None

    def _handed_over(self, event: Event) -> futures.Future[None]:
        try:
            return self._transport.publish(event)
        except BaseException:
            self._core.tally.reject(event.topic, 0)
            raise

    def _wait_for(self, sent: futures.Future[None], event: Event) -> None:
        try:
            sent.result(self._core.wait_s)
        except futures.TimeoutError:
            self._core.tally.reject(event.topic, 0)
            raise self._late(event) from None
        except BaseException:
            self._core.tally.reject(event.topic, 0)
            raise

    def _late(self, event: Event) -> TransportDown:
        return TransportDown(
            f"{self._transport.name} did not confirm an event of {event.topic} within {self._core.wait_s:g} s. Whether "
            f"it is stored is not known: publish it again, and whoever keeps ids sees that it came twice."
        )

    def _confirmed(self, event: Event, sent: futures.Future[None]) -> None:
        self._unconfirmed.discard(sent)
        error = CANCELLED if sent.cancelled() else sent.exception()
        if error is not None:
            log.error("%s did not take an event of %s: %s", self._transport.name, event.topic, error)
            self._core.tally.reject(event.topic, 0)
            self._outcomes.bury(event, "(transport)", error, "transport")

    # Who hears

    def consume(self, subscriber: Subscriber) -> None:
        """Let the transport bring this handler its events. Raises BadHandler where its name is taken."""
        lasting = subscriber.owner is not None
        durable = subscriber.durable if lasting else f"{subscriber.durable} #{subscriber.number}"
        if any(one.durable == durable for one in self._consumers.values()):
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
            subscriber.bounds.concurrency or 1,
            partial(self._ahandle, subscriber),
        )
        self._consumers[subscriber.number] = consumer
        self._transport.consume(consumer)

    def release(self, subscriber: Subscriber) -> None:
        """It hears nothing more."""
        if (consumer := self._consumers.pop(subscriber.number, None)) is not None:
            self._transport.release(consumer)

    # In

    async def _ahandle(self, subscriber: Subscriber, event: Event, attempt: int = 1) -> Verdict:
        """One attempt at an event that the transport brought, and everything that follows from it but the transport's
        part. Called on the home loop.
        """
        tally, topic = self._core.tally, event.topic
        plan = compile_plan(topic, (subscriber,))
        tally.begun(topic, 1)
        verdict, outbox = await self._attempted(plan, subscriber, event, attempt)
        if outbox and verdict.ruling is not Ruling.STOPPED:
            verdict = await self._sent(outbox, verdict, event, attempt)
        match verdict.ruling:
            case Ruling.RETRY | Ruling.STOPPED:
                tally.begun(topic, -1)  # it is delivered when it is given again
                log.info("%s gets %s (%s) again: %r", subscriber.name, topic, event.event_id, verdict.error)
            case _ if verdict.reason != UNKNOWN:
                self._outcomes.settle(topic, subscriber, event, verdict)
        return verdict

    async def _attempted(
        self, plan: Plan, subscriber: Subscriber, event: Event, attempt: int
    ) -> tuple[Verdict, Outbox]:
        if (refused := self._refused(subscriber, event, attempt)) is not None:
            return refused, []
        flow = new_flow(event, self._core)
        flow.subscriber, flow.outbox = subscriber, []
        self._flows.flying[flow] = event.topic, 1
        verdict, sent = DONE, list[futures.Future[None]]()
        token = FLOW.set(flow)
        try:
            if subscriber.is_async:
                verdict = await self._in_flow(flow, plan, event, attempt)
            else:
                work = partial(self._in_thread, plan, subscriber, event, attempt)
                self._flows.flying[flow] = event.topic, 0  # the thread's frame counts it
                verdict, sent = await asyncio.wrap_future(self._workers.run(work))
                if verdict.given is not None:  # a plain function around an async one
                    verdict = await subscriber.settle(verdict)
        except asyncio.CancelledError as error:
            verdict = Verdict(Ruling.STOPPED, error, attempts=attempt, reason="stopped")
        finally:
            self._flows.leave(flow)
            with contextlib.suppress(ValueError):  # a loop that was thrown away ends this in another context
                FLOW.reset(token)
        return verdict, [*sent, *flow.outbox]

    def _refused(self, subscriber: Subscriber, event: Event, attempt: int) -> Verdict | None:
        """The border of this process: another one may have published what breaks the contract that holds here."""
        check = self._core.checks.of_topic(event.topic)
        violation = check(event.payload) if check is not None else None
        if violation is None:
            return None
        error = rejection(event.topic, violation)
        if self._core.checks.enforced:
            self._core.tally.violated()
            return Verdict(Ruling.DEAD, error, attempts=attempt, reason="payload")
        self._outcomes.violated(event, subscriber.name, error)
        log.warning("payload check: %s", error)
        return None

    async def _in_flow(self, flow: Flow, plan: Plan, event: Event, attempt: int) -> Verdict:
        subscriber = plan.subscribers[0]
        if not self._core.middleware:
            return await subscriber.ahandle(event, attempt)
        made: list[Verdict] = []

        async def deliver(one: Event) -> None:
            made.append(await subscriber.ahandle(one, attempt))

        await self._flows.through(plan, event, deliver)
        return made[-1] if made else Verdict(Ruling.DONE, reason=UNKNOWN)

    def _in_thread(self, plan: Plan, subscriber: Subscriber, event: Event, attempt: int) -> tuple[Verdict, Outbox]:
        """A sync handler, in a thread that does nothing else meanwhile."""
        frame = self._core.frames.here()
        outbox = frame.outbox = []
        frame.current, frame.plan, frame.subscriber, frame.ordinals = event, plan, subscriber, None
        made: list[Verdict] = []

        def deliver(one: Event) -> Any:
            made.append(subscriber.handle(one, attempt))
            return made[-1].given

        try:
            if self._core.middleware:
                self._chain.through(plan, event, deliver)
            else:
                deliver(event)
        finally:
            frame.current = frame.plan = frame.subscriber = frame.ordinals = frame.outbox = None
        return made[-1] if made else Verdict(Ruling.DONE, reason=UNKNOWN), outbox

    async def _sent(self, outbox: Outbox, verdict: Verdict, event: Event, attempt: int) -> Verdict:
        """The verdict, once the transport has everything that the handler published; RETRY where it did not take it."""
        waiting = [asyncio.wrap_future(sent) for sent in outbox if not sent.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=self._core.wait_s)
        failed = [sent for sent in outbox if not sent.done() or sent.cancelled() or sent.exception() is not None]
        if not failed:
            return verdict
        error = failed[0].exception() if failed[0].done() and not failed[0].cancelled() else self._late(event)
        return Verdict(Ruling.RETRY, error, AGAIN_S, attempt, "transport")

    # Life

    async def confirmed(self, timeout_s: float) -> bool:
        """Wait until the transport has everything that was handed over in this process."""
        waiting = [asyncio.wrap_future(sent) for sent in list(self._unconfirmed)]
        return not waiting or not (await asyncio.wait(waiting, timeout=timeout_s))[1]

    def close(self) -> None:
        """No handler runs any more."""
        self._workers.close()


CANCELLED = TransportDown("The transport was closed before the event was stored.")
