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
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import BadPayload, NotRunning, PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.delivery.frames import FLOW, Calling, Entry, Flow, Frame, Late, Queued
from graphbus_core.runtime.delivery.home import is_failure
from graphbus_core.runtime.delivery.plan import LATE, Plan, Subscriber, failed_at
from graphbus_core.runtime.handling.checks import rejection
from graphbus_core.runtime.handling.handlers import Exhausted, to_await, with_own_payload
from graphbus_core.runtime.handling.middleware import hidden_values, without
from graphbus_core.runtime.handling.topics import labelled, named

if TYPE_CHECKING:
    from graphbus_core.runtime.delivery.counts import Tally
    from graphbus_core.runtime.delivery.home import HomeLoop
    from graphbus_core.runtime.handling.checks import PayloadChecks
    from graphbus_core.runtime.kept.dead_letters import DeadLetters

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
        def _run_late(self, plan: Plan, event: Event, late: list[Late]) -> None: ...

    def __init__(self, *, journal: Any, timestamps: bool) -> None:
        self._journal = journal
        self._timestamps = timestamps
        self._closed = False

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
        if self._closed:
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
        return self._entry(frame, name)

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
        shown = self.shown(event)
        if self._journal is not None:
            self._journal.write_event(shown)
        entry.seq = number
        self._record(shown)
        return event

    def shown(self, event: Event) -> Event:
        """The event as it may be shown and kept: without what the middleware hides."""
        for mask in self._masks:
            event = mask(event)
        return event

    def _check(self, plan: Plan, event: Event) -> None:
        if plan.check is not None and (violation := plan.check(event.payload)) is not None:
            try:
                self._violated(event, violation)
            except Violated as error:
                raise self._reject(plan, event, error) from None

    def _checked(self, call: Callable[[Event], Any], check: Callable[[Any], Any], name: str) -> Callable[[Event], Any]:
        """`call`, after the payload was held against the handler's own input contract."""

        def handler(event: Event) -> Any:
            violation = check(event.payload)
            if violation is not None:
                error = rejection(f"{name} on {event.topic}", violation)
                if self.checks.enforced:
                    self.tally.violated()
                    raise error
                self.note_violation(event, f"{name} input", error)
                log.warning("payload check: %s", error)
            return call(event)

        return handler

    def _violated(self, event: Event, violation: Any) -> None:
        """A payload broke its contract: note it where that is a warning, raise where it is enforced."""
        self.tally.violated()
        if self.checks.enforced:
            raise Violated(violation)
        log.warning("payload check: %s: %s", event.topic, violation)
        self._bury(event, "(payload check)", f"{event.topic}: {violation}", "payload", delivered=True)

    def _reject(self, plan: Plan, event: Event, error: Violated) -> PayloadRejected:
        self.tally.reject(event.topic, plan.n)
        self.note_refusal(event.event_id)
        refused = rejection(event.topic, error.violation)
        self._bury(event, "(payload check)", refused, "payload")
        return refused

    # Queues

    def _enqueue(self, outer: Frame | Flow, plan: Plan, event: Event) -> None:
        queue = outer.queue
        if queue is None:
            queue = outer.queue = deque()
        if plan.noted is not None:
            plan = plan.noted
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
            before, frame.late = frame.late, []
            try:
                try:
                    given = plan.run(event if plan.wants_event else event.payload)
                except BaseException as error:
                    given = self._recover(frame, plan, event, error)
                if given is not None:
                    self._given(frame, plan, event, given)
            finally:
                frame.late = before
        if plan.pending:
            self._run_pending(plan, event)

    def _returned(self, subscriber: Subscriber, value: Any) -> None:
        """A sync handler gave something to await: kept until the sync handlers of the event are done."""
        self._frame().late.append((subscriber, value))

    def _given(self, frame: Frame, plan: Plan, event: Event, given: Any) -> None:
        """Await what sync handlers of the event gave back to be awaited."""
        if plan.single and to_await(given):
            frame.late.append((plan.sync[0], given))
        if not frame.late:
            return
        late, frame.late = frame.late, []
        if frame.gathered is not None:
            frame.gathered.append((plan, event, late))
        else:
            self._run_late(plan, event, late)

    def _recover(self, frame: Frame, plan: Plan, event: Event, error: BaseException) -> Any:
        """A sync handler raised: note it and go on with those after it. Raises what is not a handler's failure.

        Gives LATE where something that handlers returned is to be awaited, else None.
        """
        if isinstance(error, Violated):
            raise self._reject(plan, event, error) from None
        index = failed_at(error, plan.run)
        if index < 0:  # the check itself could not be made
            self.tally.reject(event.topic, plan.n)
            raise error
        while True:
            if not is_failure(error):
                self.tally.failed(plan.topic)
                self.tally.dropped(plan.topic, plan.n - index - 1)
                self._bury(event, self._label(plan.sync[index], event), error, "stopped")
                for _, value in frame.late:
                    close(value)
                frame.late = []
                for queued in frame.queue or ():
                    self._drop(queued, "the publisher was interrupted")
                frame.queue = None
                raise error
            self._failed(plan.topic, plan.sync[index], event, error)
            index += 1
            try:
                while index < len(plan.sync):
                    value = plan.sync[index].deliver(event)
                    if to_await(value):
                        self._returned(plan.sync[index], value)
                    index += 1
                return LATE if frame.late else None
            except BaseException as next_error:
                error = next_error

    def _failed(self, topic: str, subscriber: Subscriber, event: Event, error: BaseException) -> None:
        """Count, log and keep a delivery that failed. `topic` is where it was published: middleware may say another."""
        self.tally.failed(topic)
        attempts = 1
        if isinstance(error, Exhausted):
            attempts, event, error = error.attempts, error.event, error.error
        kind = type(error).__name__
        try:
            said = repr(error)
        except Exception:  # an error that cannot say what it is
            said = f"{kind} (its text cannot be made)"
        log.error("%s failed on %s (%s): %s", subscriber.name, event.topic, event.event_id, said, exc_info=error)
        reason = "payload" if isinstance(error, PayloadRejected) else "handler"
        self._bury(event, self._label(subscriber, event), error, reason, count=attempts)

    def _label(self, subscriber: Subscriber, event: Event) -> str:
        """The subscriber's name in dead letters: with its number where several of one name hear the event."""
        return labelled(subscriber, self.subscribers(event.topic))

    def _bury(self, event: Event, subscriber: str, error: BaseException | str, reason: str, **more: Any) -> None:
        """Keep a dead letter, with the payload of now. What goes wrong with that is logged: it stops nobody."""
        try:
            error = _with_text(error)
            shown = self.shown(event)
            if hidden := hidden_values(event.payload, shown.payload):
                more |= {"redacted": True, "clean": lambda text: without(text, hidden)}
            self.dead_letters.add(with_own_payload(shown), subscriber, error, reason=reason, **more)
        except Exception as e:
            log.error("a dead letter of %s could not be stored: %s: %s", event.topic, type(e).__name__, e)

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
            if not isinstance(handed_on, Event):
                raise TypeError(f"middleware called next({handed_on!r}), and must hand on an Event")
            reached += 1
            if reached > 1:
                self.tally.begun(plan.topic, plan.n)
            return final(handed_on)

        call: Callable[[Event], Any] = last
        for middleware in reversed(self._middleware):
            call = _link(middleware, call)

        def settle(error: Exception | None) -> None:
            if error is not None:
                log.error("middleware failed on %s: %r", event.topic, error, exc_info=error)
                if not reached:
                    self.tally.failed(plan.topic, plan.n)
                    self._bury(event, "(middleware)", error, "middleware")
            elif not reached:
                self.tally.dropped(plan.topic, plan.n)

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
            if self._masks:
                message = self._shown_call(message)
            self._journal.write_call(message, self.cause_here())

    def _shown_call(self, message: Message) -> Message:
        name = f"{message.dst}.{message.method}"
        payload = self.shown(Event(message.msg_id, name, message.src, message.payload)).payload
        context = message.context and self.shown(Event(message.msg_id, name, message.src, message.context)).payload
        return replace(message, payload=payload, context=context)

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

    def note_refusal(self, message_id: str) -> None:
        """An event or call that is in the journal already was refused: nobody gets it."""
        if self._journal is not None:
            self._journal.write_refusal(message_id)

    def note_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A direct call broke a contract: count it and keep it."""
        self.tally.violated()
        self._bury(event, where, error, "payload", delivered=not self.checks.enforced)


def close(value: Any) -> None:
    """Give up what would have been awaited, so that Python does not complain of it."""
    if inspect.iscoroutine(value):
        value.close()


def _with_text(error: BaseException | str) -> BaseException | str:
    """The error, or one of the same name with a text, where it cannot say its own."""
    try:
        str(error)
    except Exception as e:
        kind = type(error).__name__
        speaking: type[Exception] = type(kind, (Exception,), {})
        return speaking(f"{kind}, whose text cannot be made: {type(e).__name__}")
    return error


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
