"""The general road of a bus: nested publishes, queues, failures, payload checks, journal, middleware.

`MessageBus.publish` takes the short road where none of these is needed; both count and order alike. Rules:

    an event published by a handler waits until the event at hand is done (its queue is bounded)
    a failure is logged, counted, kept as a dead letter, and stops nobody else
"""

from __future__ import annotations

import inspect
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import BadPayload, PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.checks import rejection
from graphbus_core.runtime.frames import FLOW, Calling, Entry, Flow, Frame, Queued
from graphbus_core.runtime.plan import Plan, Subscriber, failed_at

if TYPE_CHECKING:
    from graphbus_core.runtime.checks import PayloadChecks
    from graphbus_core.runtime.counts import Tally
    from graphbus_core.runtime.dead_letters import DeadLetters
    from graphbus_core.runtime.home import HomeLoop

MAX_HELPING = 32  # how deep a publisher with a full queue may deliver others' events before it must give up
log = logging.getLogger("graphbus.runtime")


class Violated(Exception):
    """A payload broke its topic's contract, and that is enforced. Never leaves the bus."""

    def __init__(self, violation: Any) -> None:
        super().__init__(str(violation))
        self.violation = violation


class Delivery:
    """How events reach handlers. `MessageBus` adds who they are and what is remembered."""

    if TYPE_CHECKING:
        queue_limit: int
        on_full: str
        checks: PayloadChecks
        dead_letters: DeadLetters
        home: HomeLoop
        tally: Tally
        _record: Callable[[Event], None]
        _frames: list[Frame]
        _middleware: tuple[Callable[[Event, Callable[[Event], Any]], Any], ...]
        _masks: tuple[Callable[[Event], Event], ...]
        _foreign_dispatcher: Any

        def _frame(self) -> Frame: ...
        def _entry(self, frame: Frame, topic: str) -> Entry: ...
        def _plan(self, topic: str) -> Plan: ...
        def subscribers(self, topic: str) -> tuple[Subscriber, ...]: ...
        def _run_pending(self, plan: Plan, event: Event) -> None: ...

    def __init__(self, *, journal: Any, timestamps: bool) -> None:
        self._journal = journal
        self._timestamps = timestamps

    # Publishing

    def _publish(self, topic: str, payload: dict[str, Any], source: str) -> Event:
        """`publish` where something more than handlers is needed."""
        frame = self._frame()
        entry = self._entry_for(frame, topic, payload)
        plan = entry.plan
        flow = FLOW.get()
        outer: Frame | Flow | None = None
        cause = frame.cause
        if frame.current is not None:
            outer = frame
            if cause is None:
                cause = frame.current.event_id
        elif flow is not None and cause is None:
            cause = flow.event.event_id
            if flow.active and flow.bus is self and flow.ident == frame.ident:
                outer = flow
        event = self._announce(entry, payload, source, cause)
        if outer is not None:
            self._check(plan, event)
            self._enqueue(outer, plan, event)
            return event
        self._deliver_now(frame, plan, event)
        return event

    def _entry_for(self, frame: Frame, topic: str, payload: Any) -> Entry:
        if not isinstance(payload, dict):
            raise BadPayload(
                f"The payload published to '{topic}' is {type(payload).__name__}, and must be a dict: "
                f'publish("{topic}", {{"value": …}}).'
            )
        if not isinstance(topic, str):
            topic = str(topic)
        if not topic:
            raise BadPayload("A topic needs a name such as '/Order/Created'.")
        return self._entry(frame, topic)

    def _announce(self, entry: Entry, payload: dict[str, Any], source: str, cause: str | None) -> Event:
        """Make the event, journal it, remember it and count it: from here on it is published."""
        number = entry.seq + 1
        event = Event(
            number,  # type: ignore[arg-type]  # the text of the id is made when it is read
            entry.plan.topic,
            source,
            payload,
            time.time() if self._timestamps else None,
            cause,
        )
        shown = self._shown(event)
        if self._journal is not None:
            self._journal.write_event(shown)
        entry.seq = number
        self._record(shown)
        return event

    def _shown(self, event: Event) -> Event:
        for mask in self._masks:
            event = mask(event)
        return event

    def _check(self, plan: Plan, event: Event) -> None:
        if plan.check is not None and (violation := plan.check(event.payload)) is not None:
            try:
                self._violated(event, violation)
            except Violated as error:
                raise self._reject(plan, event, error) from None

    def _violated(self, event: Event, violation: Any) -> None:
        """A payload broke its contract: note it where that is a warning, raise where it is enforced."""
        self.tally.violated()
        if self.checks.enforced:
            raise Violated(violation)
        log.warning("payload check: %s: %s", event.topic, violation)
        self._bury(event, "(payload check)", f"{event.topic}: {violation}", "payload", delivered=True)

    def _reject(self, plan: Plan, event: Event, error: Violated) -> PayloadRejected:
        self.tally.reject(event.topic, plan.n)
        refused = rejection(event.topic, error.violation)
        self._bury(event, "(payload check)", refused, "payload")
        return refused

    # Queues

    def _enqueue(self, outer: Frame | Flow, plan: Plan, event: Event) -> None:
        queue = outer.queue
        if queue is None:
            queue = outer.queue = deque()
        while len(queue) >= self.queue_limit:
            if self.on_full == "drop_oldest":
                self._drop(queue.popleft(), f"the queue of {self.queue_limit} was full; the oldest was dropped")
            elif self.on_full == "wait" and isinstance(outer, Frame) and outer.helping < MAX_HELPING:
                self._help(outer, queue)  # the publisher waits for itself: so it does the work
            else:
                self.tally.reject(event.topic, plan.n)
                full = QueueFull(
                    f"The queue of {self.queue_limit} events is full: a handler publishes faster than its events can "
                    f"be delivered. Raise queue_limit, or publish less in one go."
                )
                self._bury(event, "(queue)", full, "queue")
                raise full
        queue.append((plan, event))

    def _help(self, frame: Frame, queue: deque[Queued]) -> None:
        at_hand = frame.current, frame.plan, frame.cause
        plan, event = queue.popleft()
        frame.helping += 1
        try:
            frame.current, frame.plan, frame.cause = event, plan, None
            self._deliver_queued(frame, plan, event)
        finally:
            frame.current, frame.plan, frame.cause = at_hand
            frame.helping -= 1

    def _drop(self, queued: Queued, why: str) -> None:
        plan, event = queued
        self.tally.dropped(event.topic, plan.n)
        self._bury(event, "(queue)", why, "queue")

    def _drain_frame(self, frame: Frame) -> None:
        """Deliver what handlers of this thread published meanwhile, oldest first."""
        queue = frame.queue
        try:
            while queue:
                plan, event = queue.popleft()
                frame.current, frame.plan = event, plan
                self._deliver_queued(frame, plan, event)
        except BaseException:
            for queued in queue or ():
                self._drop(queued, "the publisher was interrupted")
            raise
        finally:
            frame.queue = frame.plan = None

    # Delivering in this thread

    def _deliver_now(self, frame: Frame, plan: Plan, event: Event) -> None:
        cause = frame.cause
        try:
            frame.current, frame.plan, frame.cause = event, plan, None
            self._deliver(frame, plan, event)
            if frame.queue is not None:
                self._drain_frame(frame)
        finally:
            frame.current, frame.plan, frame.cause = None, None, cause

    def _deliver_queued(self, frame: Frame, plan: Plan, event: Event) -> None:
        try:
            self._deliver(frame, plan, event)
        except PayloadRejected:
            log.exception("a payload was changed after it was published to %s", event.topic)

    def _deliver(self, frame: Frame, plan: Plan, event: Event) -> None:
        if self._middleware:
            self._through(plan, event, lambda e: self._run(frame, plan, e))
        else:
            self._run(frame, plan, event)
        if self._foreign_dispatcher is not None:
            self._ask_dispatcher(event)

    def _run(self, frame: Frame, plan: Plan, event: Event) -> None:
        if plan.sync or plan.check is not None:
            try:
                plan.run(event if plan.wants_event else event.payload)
            except BaseException as error:
                self._recover(frame, plan, event, error)
        if plan.pending:
            self._run_pending(plan, event)

    def _recover(self, frame: Frame, plan: Plan, event: Event, error: BaseException) -> None:
        """A sync handler raised: note it and go on with those after it. Raises what is not a handler's failure."""
        if isinstance(error, Violated):
            raise self._reject(plan, event, error) from None
        index = failed_at(error, plan.run)
        if index < 0:  # the check itself could not be made
            self.tally.reject(event.topic, plan.n)
            raise error
        while True:
            if not isinstance(error, Exception):
                self.tally.failed(event.topic)
                self.tally.dropped(event.topic, plan.n - index - 1)
                self._bury(event, plan.sync[index].name, error, "stopped")
                for queued in frame.queue or ():
                    self._drop(queued, "the publisher was interrupted")
                frame.queue = None
                raise error
            self._failed(plan.sync[index], event, error)
            index += 1
            try:
                while index < len(plan.sync):
                    plan.sync[index].deliver(event)
                    index += 1
                return
            except BaseException as next_error:
                error = next_error

    def _failed(self, subscriber: Subscriber, event: Event, error: BaseException) -> None:
        self.tally.failed(event.topic)
        attempts = getattr(error, "_graphbus_attempts", 1)
        log.error("%s failed on %s (%s): %r", subscriber.name, event.topic, event.event_id, error, exc_info=error)
        reason = "payload" if isinstance(error, PayloadRejected) else "handler"
        self._bury(event, subscriber.name, error, reason, count=attempts)

    def _bury(self, event: Event, subscriber: str, error: BaseException | str, reason: str, **more: Any) -> None:
        try:
            self.dead_letters.add(self._shown(event), subscriber, error, reason=reason, **more)
        except OSError as e:
            log.error("a dead letter could not be stored: %s", e)

    def _ask_dispatcher(self, event: Event) -> None:
        try:
            self._foreign_dispatcher.dispatch_event(event)
        except Exception as error:
            log.error("the dispatcher failed on %s: %r", event.topic, error, exc_info=error)

    def _redeliver(self, event: Event, plan: Plan) -> None:
        """Deliver an event that is not new, now, by `plan`."""
        frame = self._frame()
        self.tally.begun(event.topic, plan.n)
        if frame.current is None:
            self._deliver_now(frame, plan, event)
            return
        at_hand = frame.current, frame.plan, frame.cause
        try:
            frame.current, frame.plan, frame.cause = event, plan, None
            self._deliver(frame, plan, event)
        finally:
            frame.current, frame.plan, frame.cause = at_hand

    # Middleware

    def _through(self, plan: Plan, event: Event, final: Callable[[Event], Any]) -> Any:
        """Call the middleware, outermost first, with `final` at the end. Counts what it does not hand on."""
        reached = 0

        def last(handed_on: Event) -> Any:
            nonlocal reached
            reached += 1
            if reached > 1:
                self.tally.begun(event.topic, plan.n)
            return final(handed_on)

        call: Callable[[Event], Any] = last
        for middleware in reversed(self._middleware):
            call = _link(middleware, call)

        def settle(error: Exception | None) -> None:
            if error is not None:
                log.error("middleware failed on %s: %r", event.topic, error, exc_info=error)
                if not reached:
                    self.tally.failed(event.topic, plan.n)
                    self._bury(event, "(middleware)", error, "middleware")
            elif not reached:
                self.tally.dropped(event.topic, plan.n)

        try:
            result = call(event)
        except PayloadRejected:
            raise
        except Exception as error:
            settle(error)
            return None
        if inspect.isawaitable(result):
            return _settled(result, settle)
        settle(None)
        return result

    # Direct calls

    def announce_call(self, message: Message) -> None:
        """A direct call is about to be made: journal it."""
        if self._journal is not None:
            self._journal.write_call(message, self.cause_here())

    def cause_here(self) -> str | None:
        """The id of the event or call that is being handled here, or None."""
        frame = self._frame()
        if frame.cause is not None or frame.current is not None:
            return frame.cause or (frame.current.event_id if frame.current else None)
        flow = FLOW.get()
        return flow.event.event_id if flow is not None else None

    def causing(self, cause: str) -> Calling:
        """While a direct call runs in this thread, what it publishes has the call as its cause."""
        return Calling(self._frame(), cause)

    def note_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A direct call broke a contract: count it and keep it."""
        self.tally.violated()
        self._bury(event, where, error, "payload", delivered=not self.checks.enforced)


def _link(middleware: Callable[[Event, Callable[[Event], Any]], Any], inner: Callable[[Event], Any]) -> Any:
    return lambda event: middleware(event, inner)


async def _settled(result: Awaitable[Any], settle: Callable[[Exception | None], None]) -> Any:
    try:
        value = await result
    except PayloadRejected:
        raise
    except Exception as error:
        settle(error)
        return None
    settle(None)
    return value
