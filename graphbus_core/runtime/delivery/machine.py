"""From a published event to its handlers, in the thread of the publisher."""

# Theory of operation
# -------------------
#
# One event, one handler, one verdict. What becomes of an event for a handler is decided in one place,
# `Subscriber.handle(event) -> Verdict` (handling/subscriber.py):
#
#       attempt ──ok──────────────────────────────> DONE      never given to this handler again; AWAIT, where
#          │                                                  it gave something to await: not known yet
#          └─error──> judge ──retries left────────> RETRY     again, after a pause that doubles
#                       ├────none left, or the
#                       │    payload is refused───> DEAD      a dead letter, with its reason
#                       └────not its own failure──> STOPPED   Ctrl-C, a cancelled task: raised on
#
# Everything else is transport: who makes the attempt, when, and what is written down before and after. In this
# process that is `Machine` (here), for the publisher's own thread; `Flows` (awaited.py), for a task; `Mailboxes`,
# for async handlers that a sync publisher in an event loop cannot wait for. Beyond it, `transports.port` tells.
#
# Why there are two roads. A call of an empty Python function takes 25 ns here; asking a verdict, a journal and a
# middleware chain about each would take twenty times that. So a topic has a plan (handling/plan.py): its handlers
# in a row, compiled to straight-line code. When every handler just works, running the plan IS the verdict DONE for
# each of them, and nothing is asked. When one raises, the line of its traceback says which, `judge` rules, and the
# rest are called one by one (`recover`). The quick road is `QuickRoad.publish` (quick.py), and `MessageBus` is one:
#
#       find this thread's entry for the topic -> make the event -> remember it -> run the plan
#
# The general road is `Machine.publish`. An event takes it where the quick one does not know enough:
#
#       the topic is new to this thread, or subscriptions changed     (then once, to bind the entry anew)
#       the topic has async handlers                                  (that topic alone)
#       this thread is inside a handler, a task inside a flow         (that event alone: it is queued)
#       a direct call is under way                                    (its id is the cause)
#       `key=` names the event, or the payload is not a plain dict    (that event alone)
#       there is a middleware, a journal, an observer, a transport …  (the whole bus: `Core.general`)
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
# ids knows them. `running` (handling/plan.py) reads off the stack which handler it is: no cost for the others.
# A handler that publishes from several tasks at once, in no order of its own, gives `key=` instead of the ordinal.
#
# Counting. For each topic: subscribers at publish = delivered + failed + dropped + in flight, exactly, at any
# moment when nothing is under way. A thread counts its own publishes in its entries, without a lock; what is rare
# (a failure, a drop, a refusal) is counted in the `Tally`, under one.
#
# With a journal (`Core.ledger`) the event's line is written before any handler runs, and a `done` line after each
# of them: what has no `done` is delivered again by the next run. Every handler is then called by itself, because
# each has a `done` of its own. That costs as much as the quick road: the journal's write costs ten times more.
#
# A crash between a handler's return and its `done` line delivers the event to it once more: at least once, never at
# most once. Exactly once needs the handler's help, and the ids above are what it needs for it.
#
# Handlers run outside every `except` of ours. A handler that looks at `sys.exc_info()`, or raises an error of its
# own, must not find our KeyError there: a failure is caught, the `except` is left, and only then the next handler
# is called. Tracebacks are logged from the handler's own frame on (`own_traceback`).

from __future__ import annotations

import logging
from collections import deque
from typing import Any

from graphbus_core.errors import BadPayload, NotRunning, PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Origin, Published
from graphbus_core.runtime.delivery.awaited import Flows
from graphbus_core.runtime.delivery.causes import Causes
from graphbus_core.runtime.delivery.chain import Chain
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import FLOW, Flow, Frame, Late, ThreadTopic
from graphbus_core.runtime.delivery.outcomes import Failed, Outcomes, Violated
from graphbus_core.runtime.handling.handlers import close, to_await
from graphbus_core.runtime.handling.plan import LATE, Plan, failed_at
from graphbus_core.runtime.handling.subscriber import DONE, Ruling, Subscriber, Verdict
from graphbus_core.runtime.handling.topics import named, why_no_topic

MAX_HELPING = 32  # how deep a publisher with a full queue may deliver others' events before it must give up
log = logging.getLogger("graphbus.runtime")


class Machine:
    """The general road of one bus, for the publisher's own thread."""

    def __init__(self, core: Core, outcomes: Outcomes, chain: Chain) -> None:
        self._core = core
        self._outcomes = outcomes
        self._chain = chain
        self.causes = Causes(core)
        self.flows: Flows  # the part for tasks; each of the two hands over to the other
        core.returned, core.violated = self._returned, self._broken

    # Publishing

    def publish(self, topic: str, payload: dict[str, Any], source: str, key: str | None = None) -> Event:
        """`MessageBus.publish` where something more than handlers is needed."""
        frame = self._core.frames.here()
        entry = self.entry_for(frame, topic, payload)
        flow = FLOW.get()
        outer: Frame | Flow | None = None
        if frame.current is not None:
            outer = frame
        elif flow is not None and frame.calling is None and self.flows.owns(flow, frame):
            outer = flow
        origin = self.causes.origin(frame, entry.plan.topic, key)
        if (known := self.causes.known(origin, payload, source)) is not None:
            return known
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

    def entry_for(self, frame: Frame, topic: str, payload: Any) -> ThreadTopic:
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
        if not (name := named(topic)):
            raise BadPayload(f"A topic needs a name such as '/Order/Created', as text or as a Topic, not {topic!r}.")
        if name not in frame.every and (why := why_no_topic(name)) is not None:
            raise BadPayload(f"'{name}' is not a topic: {why}. Topics look like '/Order/Created'.")
        return self._core.entry(frame, name)

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
        shown = core.shown(event)
        if core.ledger is not None:
            core.ledger.event(shown, entry.plan.durables)
        entry.seq = number
        core.history.append(shown)
        for observer in core.observers:
            observer.published(event)
        return event

    def check(self, plan: Plan, event: Event) -> None:
        """Hold the payload against its topic's contract. Raises PayloadRejected where that is enforced."""
        if plan.check is None:
            return
        try:
            violation = plan.check(event.payload)
        except BaseException:
            self._core.tally.reject(plan.topic, plan.n)  # it could not be made: the event reaches nobody
            raise
        if violation is None:
            return
        try:
            self._broken(event, violation)
            return
        except Violated as error:
            refused = self._outcomes.refused(plan, event, error.violation)
        raise refused

    def _broken(self, event: Event, violation: Any) -> None:
        """A payload broke its topic's contract: note it, or raise Violated where that is enforced."""
        self._core.tally.violated()
        if self._core.checks.enforced:
            raise Violated(violation)
        log.warning("payload check: %s: %s", event.topic, violation)
        self._outcomes.bury(event, "(payload check)", f"{event.topic}: {violation}", "payload", delivered=True)

    def after(self, frame: Frame, plan: Plan, event: Event, given: Any) -> None:
        """A plan did not just work: a handler raised, or gave something that may have to be awaited."""
        if type(given) is Failed:
            given = self.recover(frame, plan, event, given.error)
        if given is not None:
            self.given(frame, plan, event, given)

    # Queues

    def enqueue(self, outer: Frame | Flow, plan: Plan, event: Event) -> None:
        """Let an event wait until the one at hand is done. Raises QueueFull where that is the setting."""
        core, queue = self._core, outer.queue
        if queue is None:
            queue = outer.queue = deque()
            if isinstance(outer, Flow):
                self.flows.queued.add(outer)
        plan = plan.noted or plan
        while len(queue) >= core.queue_limit:
            if core.on_full == "drop_oldest":
                self._outcomes.dropped(
                    queue.popleft(), f"the queue of {core.queue_limit} was full; the oldest was dropped", final=True
                )
            elif core.on_full == "wait" and isinstance(outer, Frame) and outer.helping < MAX_HELPING:
                self._help(outer)  # the publisher waits for itself: so it does the work
            else:
                core.tally.reject(event.topic, plan.n)
                if core.ledger is not None:
                    core.ledger.refused(event.event_id)
                full = QueueFull(
                    f"The queue of {core.queue_limit} events is full: a handler publishes faster than its events can "
                    f"be delivered. Raise queue_limit, or publish less in one go."
                )
                self._outcomes.bury(event, "(queue)", full, "queue")
                raise full
        queue.append((plan, event))

    def _help(self, frame: Frame) -> None:
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
                self._outcomes.dropped(queued, "the publisher was interrupted")
            raise
        finally:
            frame.queue = frame.plan = None

    # Delivering in this thread

    def deliver_now(self, frame: Frame, plan: Plan, event: Event) -> None:
        """Deliver an event in this thread, which delivers no other, and then what its handlers published."""
        calling = frame.calling
        try:
            frame.current, frame.plan, frame.calling, frame.subscriber = event, plan, None, None
            self._deliver(frame, plan, event)
            if frame.queue is not None:
                self.drain_frame(frame)
        finally:
            frame.current, frame.plan, frame.calling, frame.subscriber = None, None, calling, None

    def redeliver(self, event: Event, plan: Plan) -> None:
        """Deliver an event that is not new, now, by `plan`."""
        frame = self._core.frames.here()
        self._core.tally.begun(event.topic, plan.n)
        if frame.current is None:
            self.deliver_now(frame, plan, event)
            return
        at_hand = frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling
        try:
            frame.current, frame.plan, frame.subscriber, frame.calling = event, plan, None, None
            self._deliver(frame, plan, event)
        finally:
            frame.current, frame.plan, frame.subscriber, frame.ordinals, frame.calling = at_hand

    def _deliver_queued(self, frame: Frame, plan: Plan, event: Event) -> None:
        try:
            self._deliver(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)

    def _deliver(self, frame: Frame, plan: Plan, event: Event) -> None:
        if self._core.middleware:
            self._chain.through(plan, event, lambda e: self._run(frame, plan, e))
        else:
            self._run(frame, plan, event)
        if self._core.dispatcher is not None:
            self._chain.ask_dispatcher(event)

    def _run(self, frame: Frame, plan: Plan, event: Event) -> None:
        if plan.sync or plan.check is not None:
            before, frame.late = frame.late, []
            try:
                if self._core.ledger is not None:
                    self.check(plan, event)
                    given = self._each(frame, plan, event, 0)
                else:
                    given = self._run_plan(frame, plan, event)
                if given is not None:
                    self.given(frame, plan, event, given)
            finally:
                frame.late = before
        if plan.pending:
            self.flows.later(frame, plan, event, [(subscriber, None) for subscriber in plan.pending])

    def _run_plan(self, frame: Frame, plan: Plan, event: Event) -> Any:
        try:
            return plan.run(event if plan.wants_event else event.payload)
        except BaseException as error:
            failure = error
        return self.recover(frame, plan, event, failure)

    def recover(self, frame: Frame, plan: Plan, event: Event, error: BaseException) -> Any:
        """A sync handler of a plan raised: note it and go on with those after it. Raises what is not a handler's own.

        Gives LATE where something that handlers returned is to be awaited, else None.
        """
        if isinstance(error, Violated):
            raise self._outcomes.refused(plan, event, error.violation)
        index = failed_at(error, plan.run)
        if index < 0:
            self._core.tally.reject(plan.topic, plan.n)  # the check itself could not be made
            raise error
        subscriber = plan.sync[index]
        self._ruled(frame, plan, index, event, subscriber.judge(error, subscriber.attempts))
        return self._each(frame, plan, event, index + 1)

    def _each(self, frame: Frame, plan: Plan, event: Event, first: int) -> Any:
        """Give the event to the sync handlers from `first` on, one by one."""
        ledger = self._core.ledger
        still = ledger is None or ledger.stateful is None  # no snapshot is ever taken: none has to be held off
        try:
            for index in range(first, len(plan.sync)):
                subscriber = frame.subscriber = plan.sync[index]
                if still:
                    self._one(frame, plan, index, event, subscriber)
                else:
                    with self._core.working(subscriber):
                        self._one(frame, plan, index, event, subscriber)
        finally:
            frame.subscriber = None
        return LATE if frame.late else None

    def _one(self, frame: Frame, plan: Plan, index: int, event: Event, subscriber: Subscriber) -> None:
        verdict = self._in_process(subscriber, event)
        if verdict is DONE:  # nearly always: then a line in the journal is all that follows
            if self._core.ledger is not None:
                self._core.ledger.done(event, subscriber)
        elif verdict.given is not None:
            self._returned(subscriber, verdict.given)
        else:
            self._ruled(frame, plan, index, event, verdict)

    @staticmethod
    def _in_process(subscriber: Subscriber, event: Event) -> Verdict:
        """The verdict after all attempts; between them this thread waits."""
        try:
            given = subscriber.deliver(event)
        except BaseException as error:
            failure = error
        else:
            return Verdict(Ruling.AWAIT, given=given) if to_await(given) else DONE
        return subscriber.judge(failure, subscriber.attempts)

    def _ruled(self, frame: Frame, plan: Plan, index: int, event: Event, verdict: Verdict) -> None:
        """Do what a verdict says. Raises what a STOPPED one holds, when nobody after it will get the event."""
        self._outcomes.settle(plan.topic, plan.sync[index], event, verdict)
        if verdict.ruling is not Ruling.STOPPED:
            return
        assert verdict.error is not None
        self._core.tally.dropped(plan.topic, plan.n - index - 1)
        for _, value in frame.late:
            close(value)
        frame.late = []
        for queued in frame.queue or ():
            self._outcomes.dropped(queued, "the publisher was interrupted")
        frame.queue = None
        raise verdict.error

    def _returned(self, subscriber: Subscriber, value: Any) -> None:
        """A sync handler gave something to await: kept until the sync handlers of the event are done."""
        self._core.frames.here().late.append((subscriber, value))

    def given(self, frame: Frame, plan: Plan, event: Event, given: Any) -> None:
        """Await what sync handlers of the event gave back to be awaited."""
        if plan.single and to_await(given):
            frame.late.append((plan.sync[0], given))
        if not frame.late:
            return
        late: list[Late] = frame.late
        frame.late = []
        self.flows.later(frame, plan, event, late)
