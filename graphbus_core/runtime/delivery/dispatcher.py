"""From a published event to its handlers, in the thread of the publisher."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
import time
from collections import deque
from typing import Any

from graphbus_core.errors import BadPayload, NotRunning, PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Origin, Published
from graphbus_core.runtime.concurrency import OVER, await_rest
from graphbus_core.runtime.delivery.async_dispatcher import AsyncDispatcher
from graphbus_core.runtime.delivery.core import BusCore, Causation
from graphbus_core.runtime.delivery.frames import FLOW, FLOWS, NOWHERE, UNBOUND, Deferred, Flow, Frame, ThreadTopic
from graphbus_core.runtime.delivery.outcomes import ContractViolation, MiddlewareStack, Outcomes, PlanFailure
from graphbus_core.runtime.delivery.plan import LATE, DeliveryPlan, find_failed
from graphbus_core.runtime.subscriptions.handlers import PLAIN, close_awaitable, is_awaitable
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Subscriber, Verdict
from graphbus_core.runtime.topics import explain_invalid_topic, get_topic_name

# Theory of operation
# -------------------
#
# One event, one handler, one verdict. What becomes of an event for a handler is decided in one place,
# `Subscriber.handle(event) -> Verdict` (subscriptions/subscriber.py):
#
#       attempt ──ok──────────────────────────────> DONE      never given to this handler again; AWAIT, where
#          │                                                  it gave something to await: not known yet
#          └─error──> judge ──retries left────────> RETRY     again, after a pause that doubles
#                       ├────none left, or the
#                       │    payload is refused───> DEAD      a dead letter, with its reason
#                       └────not its own failure──> STOPPED   Ctrl-C, a cancelled task: raised on
#
# Everything else is transport: who makes the attempt, when, and what is written down before and after. In this
# process that is `Dispatcher` (here), for the publisher's own thread; `Flows` (awaited.py), for a task; `Mailboxes`,
# for async handlers that a sync publisher in an event loop cannot wait for. Beyond it, `transports.port` tells.
#
# Why there are two roads. A call of an empty Python function takes 25 ns here; asking a verdict, a journal and a
# middleware chain about each would take twenty times that. So a topic has a plan (delivery/plan.py): its handlers
# in a row, compiled to straight-line code. When every handler just works, running the plan IS the verdict DONE for
# each of them, and nothing is asked. When one raises, the line of its traceback says which, `judge` rules, and the
# rest are called one by one (`recover`). The quick road is `FastPath.publish` (quick.py), and `MessageBus` is one:
#
#       find this thread's entry for the topic -> make the event -> remember it -> run the plan
#
# The general road is `Dispatcher.publish`. An event takes it where the quick one does not know enough:
#
#       the topic is new to this thread, or subscriptions changed     (then once, to bind the entry anew)
#       the topic has async handlers                                  (that topic alone)
#       this thread is inside a handler, a task inside a flow         (that event alone: it is queued)
#       a direct call is under way                                    (its id is the cause)
#       `key=` names the event, or the payload is not a plain dict    (that event alone)
#       there is a middleware, a journal, an observer, a transport …  (the whole bus: `BusCore.general`)
#
# So an async handler somewhere costs the other topics nothing, and timestamps and payload checks are questions of
# one line on the quick road itself.
#
# Order and recursion. While a handler runs, its thread's frame says so (`Frame.current`); what it publishes is
# queued there and delivered when the event at hand has reached all its handlers. So nothing recurses, one
# publisher's events keep their order, and every handler of an event sees it before any sees its consequences.
# The queue is bounded; a publisher that fills it helps itself by delivering the oldest first (`on_full="wait"`).
#
# Causes and ids. An event published by a handler has the id of the event at hand as its `cause`, and its own id is
# a function of (cause, handler, topic, how many of that topic the handler published before): if the same event is
# delivered to the same handler again after a crash, its consequences have the same ids again, and whoever keeps
# ids knows them. `running` (delivery/plan.py) reads off the stack which handler it is: no cost for the others.
# A handler that publishes from several tasks at once, in no order of its own, gives `key=` instead of the ordinal.
#
# Counting. For each topic: subscribers at publish = delivered + failed + dropped + in flight, exactly, at any
# moment when nothing is under way. A thread counts its own publishes in its entries, without a lock; what is rare
# (a failure, a drop, a refusal) is counted in the `Tally`, under one.
#
# With a journal (`BusCore.ledger`) the event's line is written before any handler runs, and a `done` line after each
# of them: what has no `done` is delivered again by the next run. Every handler is then called by itself, because
# each has a `done` of its own. That costs as much as the quick road: the journal's write costs ten times more.
#
# A crash between a handler's return and its `done` line delivers the event to it once more: at least once, never at
# most once. Exactly once needs the handler's help, and the ids above are what it needs for it.
#
# Handlers run outside every `except` of ours. A handler that looks at `sys.exc_info()`, or raises an error of its
# own, must not find our KeyError there: a failure is caught, the `except` is left, and only then the next handler
# is called. Tracebacks are logged from the handler's own frame on (`trim_traceback`).


MAX_HELPING = 32  # how deep a publisher with a full queue may deliver others' events before it must give up
log = logging.getLogger("graphbus.runtime")


class Dispatcher:
    """The general road of one bus, for the publisher's own thread."""

    def __init__(self, core: BusCore, outcomes: Outcomes, chain: MiddlewareStack) -> None:
        self._core = core
        self._outcomes = outcomes
        self._chain = chain
        self.causes = Causation(core)
        self.flows: AsyncDispatcher  # the part for tasks; each of the two hands over to the other
        core.returned, core.violated = self._keep_awaitable, self._report_violation

    # Publishing

    def publish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event:
        """`MessageBus.publish` where something more than handlers is needed."""
        frame = self._core.frames.get_current()
        entry = self.find_entry(frame, topic, payload)
        flow = FLOW.get()
        outer: Frame | Flow | None = None
        if frame.current is not None:
            outer = frame
        elif flow is not None and frame.calling is None and self.flows.owns(flow, frame):
            outer = flow
        origin = self.causes.derive_origin(frame, entry.plan.topic, key)
        if (published_before := self.causes.find_published_before(origin, payload, source)) is not None:
            return published_before
        event = self.announce(entry, payload, source, origin)
        if self._core.carrier is not None:
            self.check(entry.plan, event)
            self._core.carrier.publish(event, frame)
            return event
        if outer is not None:
            self.check(entry.plan, event)
            self.enqueue(outer, entry.plan, event)
            return event
        self.deliver_now(frame, entry.plan, event)
        return event

    def find_entry(self, frame: Frame, topic: str, payload: Any) -> ThreadTopic:
        """The entry of a topic that something is about to be published to. Raises what speaks against that."""
        if self._core.closed:
            raise NotRunning(
                f"The runtime is stopped, so nothing can be published to '{topic}' any more. Start it again."
            )
        if not isinstance(payload, dict):
            raise BadPayload(
                f"The payload published to '{topic}' is {type(payload).__name__}, and must be a dict: "
                f'publish("{topic}", {{"value": …}}).'
            )
        if not (name := get_topic_name(topic)):
            raise BadPayload(f"A topic needs a name such as '/Order/Created', as text or as a Topic, not {topic!r}.")
        if name not in frame.every and (why := explain_invalid_topic(name)) is not None:
            raise BadPayload(f"'{name}' is not a topic: {why}. Topics look like '/Order/Created'.")
        return self._core.bind_entry(frame, name)

    def announce(self, entry: ThreadTopic, payload: dict[str, Any], source: str, origin: Origin | None) -> Event:
        """Make the event, journal it, remember it and count it: from here on it is published."""
        core = self._core
        event: Event = Published()
        event._id = number = entry.seq + 1
        if origin is not None:
            event._id = origin
        event.topic = entry.plan.topic
        event.src = source
        event.payload = payload
        event.timestamp = None if core.stamp is None else core.stamp()
        event.cause = origin[0] if origin is not None else None
        redacted = core.redact(event)
        if core.ledger is not None:
            core.ledger.record_event(redacted, entry.plan.durables)
        entry.seq = number
        core.history.append(redacted)
        for observer in core.observers:
            observer.on_published(event)
        return event

    def check(self, plan: DeliveryPlan, event: Event) -> None:
        """Hold the payload against its topic's contract. Raises PayloadRejected where that is enforced."""
        if plan.check is None:
            return
        try:
            violation = plan.check(event.payload)
        except BaseException:
            self._core.tally.count_rejected(plan.topic, plan.n)  # it could not be made: the event reaches nobody
            raise
        if violation is None:
            return
        try:
            self._report_violation(event, violation)
            return
        except ContractViolation as error:
            refused = self._outcomes.refuse_event(plan, event, error.violation)
        raise refused

    def _report_violation(self, event: Event, violation: Any) -> None:
        """A payload broke its topic's contract: note it, or raise Violated where that is enforced."""
        self._core.tally.count_violation()
        if self._core.checks.is_enforced:
            raise ContractViolation(violation)
        log.warning("payload check: %s: %s", event.topic, violation)
        self._outcomes.dead_letter(event, "(payload check)", f"{event.topic}: {violation}", "payload", delivered=True)

    def finish_plan(self, frame: Frame, plan: DeliveryPlan, event: Event, returned: Any) -> None:
        """A plan did not just work: a handler raised, or gave something that may have to be awaited."""
        if type(returned) is PlanFailure:
            returned = self.recover(frame, plan, event, returned.error)
        if returned is not None:
            self.settle_returned(frame, plan, event, returned)

    # Queues

    def enqueue(self, outer: Frame | Flow, plan: DeliveryPlan, event: Event) -> None:
        """Let an event wait until the one at hand is done. Raises QueueFull where that is the setting."""
        core, queue = self._core, outer.queue
        if queue is None:
            queue = outer.queue = deque()
            if isinstance(outer, Flow):
                self.flows.queued.add(outer)
        plan = plan.noted or plan
        while len(queue) >= core.queue_limit:
            if core.on_full == "drop_oldest":
                self._outcomes.record_drop(
                    queue.popleft(), f"the queue of {core.queue_limit} was full; the oldest was dropped", final=True
                )
            elif core.on_full == "wait" and isinstance(outer, Frame) and outer.helping < MAX_HELPING:
                self._deliver_oldest(outer)  # the publisher waits for itself: so it does the work
            else:
                core.tally.count_rejected(event.topic, plan.n)
                if core.ledger is not None:
                    core.ledger.record_refusal(event.event_id)
                full = QueueFull(
                    f"The queue of {core.queue_limit} events is full: a handler publishes faster than its events can "
                    f"be delivered. Raise queue_limit, or publish less in one go."
                )
                self._outcomes.dead_letter(event, "(queue)", full, "queue")
                raise full
        queue.append((plan, event))

    def _deliver_oldest(self, frame: Frame) -> None:
        at_hand = frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling
        assert frame.queue is not None
        plan, event = frame.queue.popleft()
        frame.helping += 1
        try:
            frame.current, frame.plan, frame.subscriber, frame.calling = event, plan, None, None
            self._deliver_queued(frame, plan, event)
        finally:
            frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling = at_hand
            frame.helping -= 1

    def drain_frame(self, frame: Frame) -> None:
        """Deliver what handlers of this thread published meanwhile, oldest first."""
        queue = frame.queue
        try:
            while queue:
                plan, event = queue.popleft()
                frame.current, frame.plan, frame.subscriber = event, plan, None
                self._deliver_queued(frame, plan, event)
        except BaseException:
            for queued in queue or ():
                self._outcomes.record_drop(queued, "the publisher was interrupted")
            raise
        finally:
            frame.queue = frame.plan = None

    # Delivering in this thread

    def deliver_now(self, frame: Frame, plan: DeliveryPlan, event: Event) -> None:
        """Deliver an event in this thread, which delivers no other, and then what its handlers published."""
        calling = frame.calling
        try:
            frame.current, frame.plan, frame.calling, frame.subscriber = event, plan, None, None
            self._deliver(frame, plan, event)
            if frame.queue is not None:
                self.drain_frame(frame)
        finally:
            frame.current, frame.plan, frame.calling, frame.subscriber = None, None, calling, None

    def redeliver(self, event: Event, plan: DeliveryPlan) -> None:
        """Deliver an event that is not new, now, by `plan`."""
        frame = self._core.frames.get_current()
        self._core.tally.count_begun(event.topic, plan.n)
        if frame.current is None:
            self.deliver_now(frame, plan, event)
            return
        at_hand = frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling
        try:
            frame.current, frame.plan, frame.subscriber, frame.calling = event, plan, None, None
            self._deliver(frame, plan, event)
        finally:
            frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling = at_hand

    def _deliver_queued(self, frame: Frame, plan: DeliveryPlan, event: Event) -> None:
        try:
            self._deliver(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)

    def _deliver(self, frame: Frame, plan: DeliveryPlan, event: Event) -> None:
        if self._core.middleware:
            self._chain.run(plan, event, lambda e: self._run(frame, plan, e))
        else:
            self._run(frame, plan, event)
        if self._core.dispatcher is not None:
            self._chain.notify_dispatcher(event)

    def _run(self, frame: Frame, plan: DeliveryPlan, event: Event) -> None:
        if plan.sync or plan.check is not None:
            before, frame.late = frame.late, []
            try:
                if self._core.ledger is not None:
                    self.check(plan, event)
                    returned = self._deliver_each(frame, plan, event, 0)
                else:
                    returned = self._run_plan(frame, plan, event)
                if returned is not None:
                    self.settle_returned(frame, plan, event, returned)
            finally:
                frame.late = before
        if plan.pending:
            self.flows.defer(frame, plan, event, [(subscriber, None) for subscriber in plan.pending])

    def _run_plan(self, frame: Frame, plan: DeliveryPlan, event: Event) -> Any:
        try:
            return plan.run(event if plan.wants_event else event.payload)
        except BaseException as error:
            failure = error
        return self.recover(frame, plan, event, failure)

    def recover(self, frame: Frame, plan: DeliveryPlan, event: Event, error: BaseException) -> Any:
        """A sync handler of a plan raised: note it and go on with those after it. Raises what is not a handler's own.

        Gives LATE where something that handlers returned is to be awaited, else None.
        """
        if isinstance(error, ContractViolation):
            raise self._outcomes.refuse_event(plan, event, error.violation)
        index = find_failed(error, plan.run)
        if index < 0:
            self._core.tally.count_rejected(plan.topic, plan.n)  # the check itself could not be made
            raise error
        subscriber = plan.sync[index]
        self._apply_verdict(frame, plan, index, event, subscriber.judge(error, subscriber.attempts))
        return self._deliver_each(frame, plan, event, index + 1)

    def _deliver_each(self, frame: Frame, plan: DeliveryPlan, event: Event, first: int) -> Any:
        """Give the event to the sync handlers from `first` on, one by one."""
        ledger = self._core.ledger
        still = ledger is None or ledger.stateful is None  # no snapshot is ever taken: none has to be held off
        try:
            for index in range(first, len(plan.sync)):
                subscriber = frame.subscriber = plan.sync[index]
                if still:
                    self._deliver_one(frame, plan, index, event, subscriber)
                else:
                    with self._core.block_snapshot(subscriber):
                        self._deliver_one(frame, plan, index, event, subscriber)
        finally:
            frame.subscriber = None
        return LATE if frame.late else None

    def _deliver_one(self, frame: Frame, plan: DeliveryPlan, index: int, event: Event, subscriber: Subscriber) -> None:
        verdict = self._deliver_and_judge(subscriber, event)
        if verdict is DONE:  # nearly always: then a line in the journal is all that follows
            if self._core.ledger is not None:
                self._core.ledger.mark_done(event, subscriber)
        elif verdict.given is not None:
            self._keep_awaitable(subscriber, verdict.given)
        else:
            self._apply_verdict(frame, plan, index, event, verdict)

    @staticmethod
    def _deliver_and_judge(subscriber: Subscriber, event: Event) -> Verdict:
        """The verdict after all attempts; between them this thread waits."""
        try:
            returned = subscriber.deliver(event)
        except BaseException as error:
            failure = error
        else:
            return Verdict(Ruling.AWAIT, given=returned) if is_awaitable(returned) else DONE
        return subscriber.judge(failure, subscriber.attempts)

    def _apply_verdict(self, frame: Frame, plan: DeliveryPlan, index: int, event: Event, verdict: Verdict) -> None:
        """Do what a verdict says. Raises what a STOPPED one holds, when nobody after it will get the event."""
        self._outcomes.settle(plan.topic, plan.sync[index], event, verdict)
        if verdict.ruling is not Ruling.STOPPED:
            return
        assert verdict.error is not None
        self._core.tally.count_dropped(plan.topic, plan.n - index - 1)
        for _, value in frame.late:
            close_awaitable(value)
        frame.late = []
        for queued in frame.queue or ():
            self._outcomes.record_drop(queued, "the publisher was interrupted")
        frame.queue = None
        raise verdict.error

    def _keep_awaitable(self, subscriber: Subscriber, value: Any) -> None:
        """A sync handler gave something to await: kept until the sync handlers of the event are done."""
        self._core.frames.get_current().late.append((subscriber, value))

    def settle_returned(self, frame: Frame, plan: DeliveryPlan, event: Event, returned: Any) -> None:
        """Await what sync handlers of the event gave back to be awaited."""
        if plan.single and is_awaitable(returned):
            frame.late.append((plan.sync[0], returned))
        if not frame.late:
            return
        late: list[Deferred] = frame.late
        frame.late = []
        self.flows.defer(frame, plan, event, late)


# The quick road: `publish` and `apublish` where nothing but handlers is needed. `machine` tells how it fits in.
#
# What it costs is measured (`benchmarks/bus.py`), line by line: it asks for nothing that a topic does not need, and
# every question that is left is one test of an attribute.


_flow_here, _enter_flow, _copy_context = FLOW.get, FLOW.set, contextvars.copy_context
_flows = FLOWS


class FastPath:
    """Publishing on one bus; whatever needs more is handed over to the machine."""

    def __init__(self, core: BusCore, machine: Dispatcher, flows: AsyncDispatcher) -> None:
        self._core, self._machine, self._flows = core, machine, flows
        self._here = core.frames.local
        self._record = core.history.append
        self._stamp = core.stamp

    def publish(self, topic: str, payload: dict[str, Any], source: str = "system", key: str | None = None) -> Event:
        """Publish to `topic` and return the event; every sync handler has run by then.

        Inside a handler the event waits until the event at hand has reached all its handlers. A handler that raises
        stops nobody else: it is counted, logged, and kept as a dead letter. `key` is for a handler that publishes
        from several tasks at once: it stands in the event's id instead of its ordinal. Raises BadPayload for anything
        but a dict, PayloadRejected where checks are enforced, QueueFull where a queue is full and that is the setting.
        """
        try:
            frame = self._here.frame
            entry = frame.entries[topic]
        except (AttributeError, KeyError, TypeError):
            frame, entry = NOWHERE, UNBOUND  # the `except` ends here: no handler is to see its error
        if (
            frame.current is not None
            or type(payload) is not dict
            or (_flows and _flow_here() is not None)
            or key is not None
        ):
            return self._machine.publish(topic, payload, source, key)
        plan = entry.plan  # a handler may change subscriptions and publish here again, which binds the entry anew
        event: Event = Published()
        try:
            frame.current = event
            frame.plan = plan
            event._id = entry.seq = entry.seq + 1
            event.topic = topic
            event.src = source
            event.payload = payload
            event.timestamp = event.cause = None
            if self._stamp is not None:
                event.timestamp = self._stamp()
            self._record(event)
            try:
                returned = plan.run(event if plan.wants_event else payload)
            except BaseException as error:
                returned = PlanFailure(error)  # what follows from it follows outside of this `except`
            if returned is not None and type(returned) not in PLAIN:
                self._machine.finish_plan(frame, plan, event, returned)
            if frame.queue is not None:
                self._machine.drain_frame(frame)
        finally:
            frame.current = None
        return event

    async def apublish(
        self, topic: str, payload: dict[str, Any], source: str = "system", key: str | None = None
    ) -> Event:
        """Publish to `topic`, await every handler in order, and return the event.

        Inside a handler it returns at once: the event waits, as with `publish`, until the event at hand is done.
        """
        try:
            frame = self._here.frame
            entry = frame.aentries[topic]
        except (AttributeError, KeyError, TypeError):
            frame, entry = NOWHERE, UNBOUND
        if (
            frame.current is not None
            or type(payload) is not dict
            or (_flows and _flow_here() is not None)
            or key is not None
        ):
            return await self._flows.apublish(topic, payload, source, key)
        plan = entry.plan
        event: Event = Published()
        event._id = entry.seq = entry.seq + 1
        event.topic = topic
        event.src = source
        event.payload = payload
        event.timestamp = event.cause = None
        if self._stamp is not None:
            event.timestamp = self._stamp()
        self._record(event)
        if plan.check is not None:
            self._machine.check(plan, event)
        flow = Flow()
        flow.event, flow.bus, flow.plan, flow.ident = event, self._core, plan, frame.ident
        entry.flying += 1
        run = _copy_context().run  # of the publisher's variables: what handlers set in them stays theirs
        try:
            run(_enter_flow, flow)
            try:
                handling = plan.arun(event if plan.awants_event else payload).__await__()
                waits = run(next, handling, OVER)
                if waits is not OVER:
                    await await_rest(run, handling, waits)
            except BaseException as error:
                flow.failure = error
            if flow.failure is not None or flow.queue is not None:
                rest = self._finish_flow(flow, plan, event).__await__()
                await await_rest(run, rest, run(next, rest, OVER))
        finally:
            entry.flying -= 1
            flow.active = False
            if flow.queue is not None or flow.failure is not None:
                self._flows.close_flow(flow)
        return event

    async def _finish_flow(self, flow: Flow, plan: DeliveryPlan, event: Event) -> None:
        if flow.failure is not None:
            await self._flows.recover(flow, plan, event, flow.failure)
        if flow.queue is not None:
            await self._flows.drain(flow)


# What is under way or waits on a bus, in all its threads, tasks and queues; and waiting until nothing is.


class InFlight:
    """Looks at the parts of one bus."""

    def __init__(self, core: BusCore, flows: AsyncDispatcher) -> None:
        self._core = core
        self._flows = flows

    def count_waiting(self) -> dict[str, int]:
        """topic -> deliveries that are counted but not done: under way, or in a queue."""
        return self.count_waiting_in(self._core.frames.all)

    def reset_after_fork(self) -> None:
        """This is a child process: what the parent's other threads were delivering stays theirs."""
        core = self._core
        core.lock = threading.RLock()
        core.tally.reset_after_fork()
        core.home.reset_after_fork()
        gone = core.frames.reset_after_fork(core.lock)
        for topic, n in self.count_waiting_in(gone).items():
            core.tally.count_dropped(topic, n)
        for frame in gone:
            core.tally.fold(frame.every)
        self._flows.reset_after_fork()

    def count_waiting_in(self, frames: list[Frame]) -> dict[str, int]:
        """`count_waiting`, with what these threads deliver and what any task does."""
        counts: dict[str, int] = {}

        def add(topic: str, n: int) -> None:
            counts[topic] = counts.get(topic, 0) + n

        for frame in list(frames):
            event, plan = frame.current, frame.plan
            if event is not None:
                add(event.topic, plan.n if plan is not None else 0)
            for plan, _ in _copy_queue(frame.queue):
                add(plan.topic, plan.n)
            for entry in list(frame.every.values()):
                if entry.flying:
                    add(entry.plan.topic, entry.flying * entry.plan.n)
        flows = dict.fromkeys([*self._flows.flying, *self._flows.queued])
        for flow in flows:
            topic, n = self._flows.flying.get(flow, ("", 0))
            add(topic, n)
            for plan, _ in _copy_queue(flow.queue):
                add(plan.topic, plan.n)
        for box in list(self._flows.mailboxes.boxes.values()):
            for due in [*list(box.now.values()), *_copy_queue(box.due)]:
                add(due.topic, 1)
        counts.pop("", None)
        return counts

    def is_busy(self) -> bool:
        """Whether any delivery is under way or waits, in whichever thread but this one."""
        own = threading.get_ident()
        if self._flows.flying or any(box.workers for box in list(self._flows.mailboxes.boxes.values())):
            return True
        for frame in list(self._core.frames.all):
            if frame.current is not None and frame.ident != own and frame.thread.is_alive():
                return True
            if any(entry.flying for entry in list(frame.aquick.values())):
                return True
        return False

    def drain(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is under way, at most `timeout_s`; say whether that came true."""
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.is_busy():
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(0.001)
        return True

    async def adrain(self, timeout_s: float | None = None) -> bool:
        """`drain` for async code."""
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.is_busy():
            if end is not None and time.monotonic() >= end:
                return False
            await asyncio.sleep(0.001)
        return True


def _copy_queue(queue: deque[Any] | None) -> list[Any]:
    while True:
        try:
            return list(queue or ())
        except RuntimeError:  # its owner changed it meanwhile
            continue
