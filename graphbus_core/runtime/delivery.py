"""The general road of a bus: nested publishes, queues, failures, checks, journal, middleware, async handlers.

`MessageBus.publish` takes the short road where none of these is needed; both count and order alike. Rules:

    an event published by a handler waits until the event at hand is done (its queue is bounded)
    a failure is logged, counted, kept as a dead letter, and stops nobody else
    an async handler takes one event at a time, in order, unless the publisher awaits it (`apublish`)
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import BadPayload, PayloadRejected, QueueFull
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.checks import rejection
from graphbus_core.runtime.frames import FLOW, NOTHING_QUICK, Entry, Flow, Frame, Queued
from graphbus_core.runtime.home import running_loop
from graphbus_core.runtime.plan import Plan, Subscriber, failed_at

if TYPE_CHECKING:
    from graphbus_core.runtime.checks import PayloadChecks
    from graphbus_core.runtime.counts import Tally
    from graphbus_core.runtime.dead_letters import DeadLetter, DeadLetters
    from graphbus_core.runtime.home import HomeLoop

MAX_HELPING = 32  # how deep a publisher with a full queue may deliver others' events before it must give up
log = logging.getLogger("graphbus.runtime")


class _Violated(Exception):
    """A payload broke its topic's contract, and that is enforced. Never leaves the bus."""

    def __init__(self, violation: Any) -> None:
        super().__init__(str(violation))
        self.violation = violation


class _Mailbox:
    """What waits for one async subscriber."""

    __slots__ = ("busy", "events", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.events: deque[Event] = deque()
        self.busy: str | None = None  # the topic of the event that is being handled
        self.loop = loop


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
        _lock: threading.RLock

        def _frame(self) -> Frame: ...
        def _entry(self, frame: Frame, topic: str) -> Entry: ...
        def _plan(self, topic: str) -> Plan: ...
        def subscribers(self, topic: str) -> tuple[Subscriber, ...]: ...

    def __init__(self, *, journal: Any, timestamps: bool) -> None:
        self._journal = journal
        self._timestamps = timestamps
        self._mailboxes: dict[int, _Mailbox] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._flying: dict[Flow, tuple[str, int]] = {}

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
            except _Violated as error:
                raise self._reject(plan, event, error) from None

    def _violated(self, event: Event, violation: Any) -> None:
        """A payload broke its contract: note it where that is a warning, raise where it is enforced."""
        self.tally.violated()
        if self.checks.enforced:
            raise _Violated(violation)
        log.warning("payload check: %s: %s", event.topic, violation)
        self._bury(event, "(payload check)", f"{event.topic}: {violation}", "payload", delivered=True)

    def _reject(self, plan: Plan, event: Event, error: _Violated) -> PayloadRejected:
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
        if isinstance(error, _Violated):
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

    # Async

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
        box.events.append(event)
        if box.busy is None:
            box.busy = event.topic
            if box.loop is loop:
                self._start(box, subscriber)
            else:
                box.loop.call_soon_threadsafe(self._start, box, subscriber)

    def _start(self, box: _Mailbox, subscriber: Subscriber) -> None:
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

    def causing(self, cause: str) -> _Calling:
        """While a direct call runs in this thread, what it publishes has the call as its cause."""
        return _Calling(self._frame(), cause)

    def note_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A direct call broke a contract: count it and keep it."""
        self.tally.violated()
        self._bury(event, where, error, "payload", delivered=not self.checks.enforced)


class _Calling:
    __slots__ = ("_before", "_cause", "_entries", "_frame")

    def __init__(self, frame: Frame, cause: str) -> None:
        self._frame, self._cause = frame, cause

    def __enter__(self) -> None:
        frame = self._frame
        self._before, self._entries = frame.cause, frame.entries
        frame.cause, frame.entries = self._cause, NOTHING_QUICK

    def __exit__(self, *_: object) -> None:
        self._frame.cause, self._frame.entries = self._before, self._entries


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


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _copy(queue: deque[Any] | None) -> list[Any]:
    while True:
        try:
            return list(queue or ())
        except RuntimeError:  # its owner changed it meanwhile
            continue


def json_ready(payload: Any, what: str) -> str:
    """The payload as one line of JSON. Raises BadPayload that says what cannot be written."""
    try:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as e:
        raise BadPayload(
            f"{what} cannot be written to the journal: {e}. With a journal on, payloads must be JSON: "
            f"text, numbers, true, false, None, lists and dicts."
        ) from None
