"""One handler's place in the stream: messages are pulled, handled, and acknowledged as the verdict says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from itertools import islice, takewhile
from typing import Any

from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import Ruling, Verdict
from graphbus_core.runtime.topics import is_pattern, matches
from graphbus_core.runtime.transports.nats.attempts import AttemptLog
from graphbus_core.runtime.transports.nats.outcomes import Outcome, OutcomeLog, build_outcome, parse_reply
from graphbus_core.runtime.transports.nats.space import SpaceNames
from graphbus_core.runtime.transports.port import Consumer, decode_event

log = logging.getLogger("graphbus.runtime")
BATCH = 64  # messages asked for at once; half of them gone, the next are asked for
EXPIRES_S = 20.0  # of a request that finds nothing
CRASHES = 20  # attempts beyond a handler's own that began and ended in no verdict: then the event itself is the cause
NAK, WORKING, TERM = b"-NAK", b"+WPI", b"+TERM"

StoreDeadLetter = Callable[[Consumer, Event, Verdict], Awaitable[None]]

OnArrived = Callable[[str, Mapping[str, str] | None], None]  # what came beside an event, by its id


class ConsumerFeed:
    """Brings one durable consumer's events to its handler. `bury` stores a dead letter, and returns when it is stored.

    `ack_wait_s` is how long the server waits for a verdict before it gives an event to another process; while a
    handler works, the server is told so.
    """

    def __init__(
        self,
        connection: Any,
        names: SpaceNames,
        name: str,
        consumer: Consumer,
        bury: StoreDeadLetter,
        ack_wait_s: float,
        attempts: AttemptLog,
        outcomes: OutcomeLog,
        arrived: OnArrived | None = None,
        retrying: Consumer | None = None,
    ):
        self._connection, self._consumer, self._bury, self._attempts = connection, consumer, bury, attempts
        self._name, self._log = name, outcomes
        self._retrying = retrying or consumer  # what a dead letter is given to
        self._done_before: set[Outcome] = set()  # events that a consumer which was made anew gives out once more
        self._delayed: dict[str, float] = {}  # ids of events that wait for their next try, and until when
        self._ask = f"$JS.API.CONSUMER.MSG.NEXT.{names.stream}.{name}"
        self._again = names.build_retry_subject(name)
        self._ack_wait_s, self._arrived = ack_wait_s, arrived
        self._room = asyncio.Semaphore(max(consumer.concurrency, 1))
        self._filters = is_pattern(consumer.topic)
        self._waiting: dict[str, float] = {}  # where messages are acknowledged that have no verdict yet, and since when
        self._running: set[asyncio.Task[None]] = set()
        self._queue: deque[Any] = deque()  # of what is to be handled in order
        self._runner: asyncio.Task[None] | None = None
        self._owed = 0  # messages that the server may still send for what was asked
        self._asked_at = 0.0
        self.outcomes = 0  # verdicts that the server was told
        self._open = False
        self._subscriptions: list[Any] = []
        self._keeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to pull."""
        self._open = True
        self._inbox = self._connection.new_inbox()
        self._subscriptions = [
            await self._connection.subscribe(self._inbox, cb=self._receive),
            await self._connection.subscribe(self._again, queue="nodes", cb=self._retry_dead_letter),
        ]
        await self._pull(BATCH)
        self._keeper = asyncio.create_task(self._keep_alive())

    async def resume(self) -> None:
        """What was asked for is forgotten by the server, or its answers went nowhere: ask again, under a new name."""
        if not self._open:
            return
        heard, *others = self._subscriptions
        self._inbox = self._connection.new_inbox()
        self._subscriptions = [await self._connection.subscribe(self._inbox, cb=self._receive), *others]
        with contextlib.suppress(Exception):  # the connection may be away; then the server knows it no more
            await heard.unsubscribe()
        self._owed = 0
        await self._pull(BATCH)

    async def stop(self) -> None:
        """Bring nothing more. What was brought and not begun goes back at once, to whoever else runs the node."""
        if not self._open:
            return
        self._open = False
        if self._keeper is not None:
            self._keeper.cancel()
        for subscription in self._subscriptions:
            # Not only `unsubscribe`: what the server sends meanwhile would wait for its `ack_wait`.
            with contextlib.suppress(Exception):  # the connection may be gone
                await asyncio.wait_for(subscription.drain(), 2.0)

    @property
    def is_busy(self) -> bool:
        """Whether a handler is at work."""
        return bool(self._running) or bool(self._waiting)

    @property
    def at_work(self) -> int:
        """Events that are here and have no verdict."""
        return len(self._waiting)

    def count_delayed(self) -> int:
        """Events that this process sent back for a later try, as far as their time has not come."""
        now = time.monotonic()
        for event_id in [event_id for event_id, until in self._delayed.items() if until < now]:
            del self._delayed[event_id]
        return len(self._delayed)

    async def skip_recorded(self) -> None:
        """The consumer is made anew, and gives out what it still holds: what has an outcome is not handled again."""
        self._done_before |= await self._log.read(self._name)

    async def close(self) -> None:
        """Wait no longer: what is at work is cancelled, and its event goes back."""
        await self.stop()
        tasks = [task for task in (*self._running, self._runner) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1.0)

    async def _request_more(self) -> None:
        """Ask for more where little is left: what waits here cannot be handled by another process."""
        if self._open and self._owed <= BATCH // 2 and len(self._waiting) <= BATCH:
            await self._pull(BATCH - max(self._owed, 0))

    async def _pull(self, count: int) -> None:
        self._owed += count
        self._asked_at = time.monotonic()
        request = {"batch": count, "expires": int(EXPIRES_S * 1e9)}
        with contextlib.suppress(Exception):  # while the connection is away; `resume` asks again
            await self._connection.publish(self._ask, json.dumps(request).encode(), self._inbox)

    async def _keep_alive(self) -> None:
        """Ask again where an answer was lost, and tell the server of handlers that take their time."""
        while True:
            await asyncio.sleep(min(self._ack_wait_s / 3, 1.0))
            now = time.monotonic()
            if self._connection.is_connected and now - self._asked_at > EXPIRES_S + 2 and not self._waiting:
                self._owed = 0
                await self._pull(BATCH)
            for reply, since in list(self._waiting.items()):
                if now - since > self._ack_wait_s / 3:
                    self._waiting[reply] = now
                    await self._send_ack(reply, WORKING)

    async def _receive(self, message: Any) -> None:
        """A message, or a status: called by nats-py, one after the other."""
        if not message.reply:  # what was asked for expired, or the consumer is gone
            await self._receive_status(message.headers or {})
            return
        self._owed -= 1
        if not self._open:
            await self._send_ack(message.reply, NAK)
            return
        self._waiting[message.reply] = time.monotonic()
        await self._request_more()
        if self._consumer.concurrency == 1:
            self._queue.append(message)
            if self._runner is None or self._runner.done():
                self._runner = asyncio.create_task(self._process_in_order())
            return
        await self._room.acquire()
        task = asyncio.create_task(self._process_concurrently(message))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _receive_status(self, headers: Mapping[str, str]) -> None:
        status = headers.get("Status", "")
        if not self._open or status not in ("404", "408", "409", "503"):
            return
        self._owed = 0
        if status in ("409", "503"):
            await asyncio.sleep(0.5)  # deleted, or the leader of a cluster changed: no busy loop
            if status == "503" or "deleted" in headers.get("Description", "").lower():
                with contextlib.suppress(Exception):  # the server is away; what is done is handled once more
                    await self.skip_recorded()
        await self._pull(BATCH)

    async def _process_in_order(self) -> None:
        """One after the other, in the order of the stream; several at a time where that is cheaper."""
        many = self._consumer.ahandle_many
        while self._queue:
            if many is None or not self._open or parse_reply(self._queue[0].reply)[0] > 1:
                await self._process(self._queue.popleft())
                continue
            batch = list(islice(takewhile(lambda m: parse_reply(m.reply)[0] == 1, self._queue), BATCH))
            good = [(message, event) for message in batch if (event := await self._decode_event(message)) is not None]
            if not good:
                self._forget(batch)
                continue
            verdicts = await many([(event, 1) for _, event in good])
            for (message, event), verdict in zip(good, verdicts, strict=False):
                await self._conclude(message, event, 0, verdict)
            last = good[len(verdicts) - 1][0]
            self._forget(batch[: batch.index(last) + 1] if len(verdicts) < len(good) else batch)
            await self._request_more()

    def _forget(self, batch: list[Any]) -> None:
        for message in batch:
            self._queue.popleft()
            self._waiting.pop(message.reply, None)

    async def _process_concurrently(self, message: Any) -> None:
        try:
            await self._process(message)
        finally:
            self._room.release()

    async def _process(self, message: Any) -> None:
        try:
            if not self._open:  # it waited behind one that took long, and the run ends
                await self._send_ack(message.reply, NAK)
            elif (event := await self._decode_event(message)) is not None:
                await self._attempt(message, event)
        finally:
            self._waiting.pop(message.reply, None)
        await self._request_more()

    async def _attempt(self, message: Any, event: Event) -> None:
        """One attempt, counted before it begins where the event was given out before."""
        recorded = 0
        if parse_reply(message.reply)[0] > 1:
            try:
                recorded = await self._attempts.count(event.event_id) + 1
                if recorded > self._consumer.attempts + CRASHES:
                    await self._conclude(message, event, recorded, _give_up(recorded - 1))
                    return
                await self._attempts.record(event.event_id, recorded)
            except Exception as error:  # the server is away: it brings the event again
                log.info("an attempt at %s could not be counted: %s", event.event_id, error or type(error).__name__)
                await self._send_ack(message.reply, _encode_delay(1.0))
                return
        await self._conclude(message, event, recorded, await self._consumer.ahandle(event, recorded or 1))

    async def _conclude(self, message: Any, event: Event, recorded: int, verdict: Verdict) -> None:
        """Tell the server what the verdict means; `recorded` attempts are written down."""
        try:
            if verdict.ruling in (Ruling.RETRY, Ruling.STOPPED):
                if verdict.attempts != recorded:
                    await self._attempts.record(event.event_id, verdict.attempts)
                await self._apply_verdict(message, event, verdict)
                return
        except Exception as error:  # it comes again when the connection does, and has a try more
            log.info("an attempt at %s could not be counted: %s", event.event_id, error or type(error).__name__)
        await self._apply_verdict(message, event, verdict)
        if recorded and verdict.ruling in (Ruling.DONE, Ruling.DEAD):
            with contextlib.suppress(Exception):  # the count ends by its age
                await self._attempts.forget(event.event_id)

    async def _decode_event(self, message: Any) -> Event | None:
        """The event to handle; None where there is nothing to do, and the server was told."""
        try:
            event = decode_event(message.data)
        except (ValueError, KeyError, TypeError) as error:
            log.error("a message on %s is not an event and was put aside: %s", message.subject, error)
            await self._send_ack(message.reply, TERM)
            return None
        if self._done_before and (outcome := build_outcome(message.reply, event.event_id)) in self._done_before:
            self._done_before.discard(outcome)
            await self._send_ack(message.reply, b"")
            return None
        if self._arrived is not None:
            self._arrived(event.event_id, message.headers)
        if self._filters and not matches(self._consumer.topic, event.topic):
            await self._send_ack(message.reply, b"")
            return None
        return event

    async def _apply_verdict(self, message: Any, event: Event, verdict: Verdict) -> None:
        """Tell the server what the verdict means."""
        self.outcomes += 1
        match verdict.ruling:
            case Ruling.DONE:
                await self._acknowledge(message, event)
            case Ruling.RETRY:
                self._delayed[event.event_id] = time.monotonic() + verdict.after_s
                await self._send_ack(message.reply, _encode_delay(verdict.after_s))
            case Ruling.DEAD:
                try:
                    # As it was published: a handler may have changed the payload before it failed.
                    await self._bury(self._consumer, decode_event(message.data), verdict)
                except Exception as error:
                    log.error("a dead letter of %s could not be stored: %s", event.topic, error)
                    await self._send_ack(message.reply, _encode_delay(1.0))
                else:
                    await self._acknowledge(message, event)
            case Ruling.STOPPED | Ruling.AWAIT:
                await self._send_ack(message.reply, NAK)

    async def _acknowledge(self, message: Any, event: Event) -> None:
        outcome = build_outcome(message.reply, event.event_id)
        self._log.note(self._name, outcome)
        if self._log.confirmed is not None:
            await self._log.confirmed.tell_outcome(self._name, outcome)
        await self._send_ack(message.reply, b"")

    async def _retry_dead_letter(self, request: Any) -> None:
        """A dead letter is to be handled once more: one attempt, and the asker is told what came of it."""
        try:
            verdict = await self._retrying.ahandle(decode_event(request.data), self._retrying.attempts)
            good = verdict.ruling is Ruling.DONE
            outcome = {"error": None if good else f"{type(verdict.error).__name__}: {verdict.error}"}
        except (ValueError, KeyError, TypeError) as error:
            outcome = {"error": f"it is not an event: {error}"}
        await self._send_ack(request.reply, json.dumps(outcome).encode())

    async def _send_ack(self, reply: str, what: bytes) -> None:
        try:
            await self._connection.publish(reply, what)
        except Exception as error:  # then the server brings it again; its id says that it is the same
            log.info("%s could not be acknowledged: %s", reply, error)


def _give_up(began: int) -> Verdict:
    why = RuntimeError(f"it began {began} times and never came to an end: it may stop its process")
    return Verdict(Ruling.DEAD, why, attempts=began, reason="stopped")


def _encode_delay(after_s: float) -> bytes:
    return NAK + b' {"delay": %d}' % int(after_s * 1e9)


def create_listener(consumer: Consumer) -> Any:
    """What is called with each message for a handler that nobody comes back for: a failure is its own matter."""

    async def receive(message: Any) -> None:
        try:
            event = decode_event(message.data)
        except (ValueError, KeyError, TypeError):
            return
        if matches(consumer.topic, event.topic):
            await consumer.ahandle(event, 1)

    return receive
