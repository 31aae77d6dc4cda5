"""Watches whether the bus does what it promises: consumers that stand still, and events that vanish.

`Watch` judges what it is shown, and reads no clock and no server. `Sweeper` reads the server's counts four times in an
acknowledgement wait, heals, and raises alarms.

    stands still   events wait, no handler is at work here, and nothing was given out or acknowledged since
                   one wait: the feed binds anew. two waits: an alarm, within three with the sweep that sees it
    gone           the server has no such consumer, or no such stream: it is made again, and that is an alarm
    vanished       fewer events wait than the server gave out, or the stream's numbers went back: an alarm

No count is trusted that only grows by somebody else's work: what vanished is a lower bound, and never a guess.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

log = logging.getLogger("graphbus.runtime")
SWEEPS_IN_A_WAIT = 4
ALARM_WAITS = 2.0
MAX_ALARMS = 1_000  # kept; older ones stand in the log


@dataclass(frozen=True)
class ConsumerReading:
    """One look at one consumer. `stored`: events in its stream; `given_out`: deliveries so far; `done`: events up to
    there are acknowledged; `pending`: not given out yet; `unacknowledged`: given out and without an outcome.
    """

    consumer: str
    handler: str
    created: str
    stored: int
    last_stored: int
    given_out: int
    done: int
    pending: int
    unacknowledged: int
    outcomes: int  # recorded by this process
    busy: bool  # a handler is at work here
    oldest_s: float = 0.0  # for how long, at least, the oldest waits

    @property
    def waiting(self) -> int:
        """Events without an outcome."""
        return self.pending + self.unacknowledged


@dataclass(frozen=True)
class Alarm:
    """What went wrong with a consumer. `kind`: stands still, gone, vanished."""

    kind: str
    consumer: str
    text: str


class Watch:
    """Judges the readings of one consumer."""

    def __init__(self, ack_wait_s: float) -> None:
        self._ack_wait_s = ack_wait_s
        self._before: ConsumerReading | None = None
        self._moved_at = 0.0
        self._healed = self._alarmed = False

    def note(self, reading: ConsumerReading, now: float) -> tuple[ConsumerReading, bool, Alarm | None]:
        """The reading with its age, whether to bind the feed anew, and an alarm. `now` is monotonic."""
        before, self._before = self._before, reading
        if before is None or not reading.waiting or reading.busy or _has_moved(before, reading):
            self._moved_at, self._healed, self._alarmed = now, False, False
        still_s = now - self._moved_at
        reading = replace(reading, oldest_s=round(still_s, 3) if reading.waiting else 0.0)
        if before is not None and (text := _find_vanished(before, reading)) is not None:
            return reading, True, Alarm("vanished", reading.consumer, text)
        heals = not self._healed and still_s >= self._ack_wait_s
        self._healed |= heals
        if not self._alarmed and still_s >= ALARM_WAITS * self._ack_wait_s:
            self._alarmed = True
            text = (
                f"{reading.handler} stands still: {reading.waiting} events wait for it, and the server gave out none "
                f"and heard of none for {still_s:.1f} s."
            )
            return reading, True, Alarm("stands still", reading.consumer, text)
        return reading, heals, None


def _has_moved(before: ConsumerReading, now: ConsumerReading) -> bool:
    return (before.created, before.given_out, before.done, before.outcomes) != (
        now.created,
        now.given_out,
        now.done,
        now.outcomes,
    ) or now.waiting < before.waiting


def _find_vanished(before: ConsumerReading, now: ConsumerReading) -> str | None:
    """What is gone for certain between two looks. Publishers only add, so a bound holds whatever they did."""
    if now.last_stored < before.last_stored:
        return (
            f"The stream of {now.handler} went back from event {before.last_stored} to {now.last_stored}: what was "
            f"stored after that is gone."
        )
    if now.created != before.created:
        return None  # another consumer of the same name: it counts from the beginning
    lost = before.pending - now.pending - max(now.given_out - before.given_out, 0)
    if lost > 0:
        return f"At least {lost} events that waited for {now.handler} are gone: nobody was given them."
    return None


class Feed(Protocol):
    """What the sweeper needs of a feed."""

    outcomes: int

    @property
    def is_busy(self) -> bool: ...
    async def resume(self) -> None: ...


class Sweeper:
    """Of one transport. `feeds` gives (consumer name, handler, feed) of what runs here now; `restore` makes streams and
    the consumer of that name again where they are gone.
    """

    def __init__(
        self,
        js: Any,
        stream: str,
        ack_wait_s: float,
        feeds: Callable[[], Sequence[tuple[str, str, Feed]]],
        restore: Callable[[str], Awaitable[None]],
    ) -> None:
        self._js, self._stream, self._ack_wait_s = js, stream, ack_wait_s
        self._feeds, self._restore = feeds, restore
        self._watches: dict[str, Watch] = {}
        self._gone: set[str] = set()
        self.readings: dict[str, ConsumerReading] = {}
        self.alarms: list[Alarm] = []
        self.alarm_count = 0
        self._standing: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_healthy(self) -> bool:
        """Whether nothing stands still now. What is gone for good is in the alarms: waiting mends it no more."""
        return not self._standing

    def open(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def to_stats(self) -> dict[str, Any]:
        """For statistics, metrics and pages."""
        return {
            "consumers": [asdict(reading) for reading in self.readings.values()],
            "alarms": [asdict(alarm) for alarm in self.alarms],
            "alarm_count": self.alarm_count,
            "healthy": self.is_healthy,
        }

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._ack_wait_s / SWEEPS_IN_A_WAIT)
            try:
                await self.sweep()
            except asyncio.CancelledError:
                raise
            except Exception as error:  # the server is away: others say so
                log.debug("the consumers could not be looked at: %s", error or type(error).__name__)

    async def sweep(self) -> None:
        """One look at every consumer that has a feed here."""
        from nats.js import errors

        feeds = self._feeds()
        if not feeds:
            return
        try:
            stream = await self._js.stream_info(self._stream)
        except errors.NotFoundError:
            stream = None
        for name, handler, feed in feeds:
            try:
                info = await self._js.consumer_info(self._stream, name) if stream is not None else None
            except errors.NotFoundError:
                info = None
            if info is None:
                await self._bring_back(name, handler, feed, "stream" if stream is None else "consumer")
                continue
            self._gone.discard(name)
            reading = _read(name, handler, feed, info, stream.state)
            await self._judge(reading, feed)
        for name in self.readings.keys() - {name for name, _, _ in feeds}:
            del self.readings[name]
            self._watches.pop(name, None)
            self._standing.discard(name)

    async def _judge(self, reading: ConsumerReading, feed: Feed) -> None:
        watch = self._watches.setdefault(reading.consumer, Watch(self._ack_wait_s))
        reading, heals, alarm = watch.note(reading, time.monotonic())
        self.readings[reading.consumer] = reading
        if reading.oldest_s < self._ack_wait_s:
            self._standing.discard(reading.consumer)
        if alarm is not None:
            self._raise_alarm(alarm)
        if heals:
            log.info("%s is bound to its events anew", reading.handler)
            await feed.resume()

    async def _bring_back(self, name: str, handler: str, feed: Feed, what: str) -> None:
        before = self.readings.get(name)
        try:
            await self._restore(name)
            await feed.resume()
        finally:
            if name not in self._gone:
                self._gone.add(name)
                lost = before is not None and before.waiting > 0
                waited = f" {before.waiting} events waited for it when it was last seen." if before and lost else ""
                text = f"The {what} of {handler} is gone from the server. It is made again.{waited}"
                self._raise_alarm(Alarm("vanished" if lost else "gone", name, text))

    def _raise_alarm(self, alarm: Alarm) -> None:
        log.error("%s", alarm.text)
        self.alarm_count += 1
        self.alarms.append(alarm)
        del self.alarms[:-MAX_ALARMS]
        if alarm.kind == "stands still":
            self._standing.add(alarm.consumer)


def _read(name: str, handler: str, feed: Feed, info: Any, state: Any) -> ConsumerReading:
    return ConsumerReading(
        name,
        handler,
        str(info.created),
        state.messages,
        state.last_seq,
        info.delivered.consumer_seq if info.delivered else 0,
        info.ack_floor.stream_seq if info.ack_floor else 0,
        info.num_pending or 0,
        info.num_ack_pending or 0,
        feed.outcomes,
        feed.is_busy,
    )
