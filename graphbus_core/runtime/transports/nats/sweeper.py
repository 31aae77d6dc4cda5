"""Watches whether the bus does what it promises: consumers that stand still, and events that vanish.

`Watch` judges what it is shown, and reads no clock and no server. `Sweeper` reads the server's counts four times in an
acknowledgement wait, and when the connection is back; it heals, and raises alarms.

    stands still   events wait, no handler is at work on them, and nothing was given out or acknowledged
    withheld       events were given out to somebody who has them no more, and the oldest is not given out again
    forgotten      events are in the store that no consumer of their topic counts
                   after one wait the feed binds anew; after one and a half the consumer is made anew, from the outcomes
                   that are written down; after two it is an alarm, within three with the sweep that sees it
    gone           the server has no such consumer, or no such stream: it is made again, and that is an alarm
    vanished       fewer events wait than the server gave out, or the stream's numbers went back: an alarm. Over a
                   server that is known to lose events, what was confirmed is held against outcomes (`confirmed`)

No count is trusted that only grows by somebody else's work: what vanished is a lower bound, and never a guess. Time in
which the server could not be asked counts for nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, Protocol

from graphbus_core.runtime.transports.nats.outcomes import OutcomeLog

log = logging.getLogger("graphbus.runtime")
SWEEPS_IN_A_WAIT = 4
REBIND_WAITS, RECREATE_WAITS, ALARM_WAITS = 1.0, 1.5, 2.0
_SERVER = ""  # in the place of a consumer: it is about all of them
MAX_ALARMS = 1_000  # kept; older ones stand in the log


@dataclass(frozen=True)
class ConsumerReading:
    """One look at one consumer. `stored`: events of its topic in the store; `given_out`: deliveries so far; `done`:
    events up to there are acknowledged; `pending`: not given out yet; `unacknowledged`: given out, without an outcome.
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
    busy: bool  # a handler is at work, here or in another process
    oldest_s: float = 0.0  # how old the oldest without an outcome is
    still_s: float = 0.0  # for how long something is wrong with it
    at_hand: int = 0  # of the unacknowledged: those that a process works on, or sent back for a later try
    wanted_elsewhere: int = 0  # of the stored: at most so many may be there for other handlers alone
    is_full: bool = False  # so much is given out that the server gives out nothing more
    first: int = 0  # the number of the oldest stored event of its topic, where more is stored than is counted

    @property
    def waiting(self) -> int:
        """Events without an outcome."""
        return self.pending + self.unacknowledged

    @property
    def withheld(self) -> int:
        """Events that were given out and that nobody has."""
        return max(self.unacknowledged - self.at_hand, 0)

    @property
    def forgotten(self) -> int:
        """Events in the store that the consumer does not count, and that nobody else wants."""
        return max(self.stored - self.waiting - self.wanted_elsewhere, 0)


@dataclass(frozen=True)
class Alarm:
    """What went wrong with a consumer. `kind`: stands still, gone, vanished."""

    kind: str
    consumer: str
    text: str


class Remedy(Enum):
    """What heals a consumer: its feed asks the server anew, or it is made anew."""

    REBIND = 1
    RECREATE = 2


class Judgement(NamedTuple):
    """What a look came to."""

    reading: ConsumerReading
    remedy: Remedy | None
    alarm: Alarm | None


class Watch:
    """Judges the readings of one consumer."""

    def __init__(self, ack_wait_s: float, before: ConsumerReading | None = None, *, loses_events: bool = False) -> None:
        self._ack_wait_s, self._loses_events = ack_wait_s, loses_events
        self._before = before  # as somebody else saw it
        self._is_first = True
        self._looked_at = 0.0
        # Since when each kind of trouble lasts.
        self._still_since = self._withheld_since = self._forgotten_since = 0.0
        self._rebound = self._alarmed = False
        self._recreated_at: float | None = None

    def note(self, reading: ConsumerReading, now: float) -> Judgement:
        """Judge a reading. `now` is monotonic."""
        before, self._before = self._before, reading
        self._leave_out_gap(now)
        is_first, self._is_first = self._is_first, False
        has_moved = is_first or before is None or _has_moved(before, reading)
        is_owed = reading.withheld or (reading.pending and not reading.is_full)
        if has_moved or not is_owed or reading.busy:
            self._still_since = now
        if is_first or before is None or not reading.withheld or reading.done > before.done:
            self._withheld_since = now
        # Counts of one instant are asked for one after the other, so they differ while events flow. An event that
        # stays where it is, below what its consumer has done, is no matter of instants.
        stays = not is_first and before is not None and reading.first == before.first
        if not (stays and reading.forgotten and 0 < reading.first <= reading.done):
            self._forgotten_since = now
        trouble_s = now - min(self._still_since, self._withheld_since, self._forgotten_since)
        if trouble_s <= 0:
            self._rebound, self._alarmed, self._recreated_at = False, False, None
        reading = replace(reading, still_s=round(trouble_s, 3))
        if before is not None and (text := _find_vanished(before, reading, self._loses_events)) is not None:
            return Judgement(reading, Remedy.REBIND, Alarm("vanished", reading.consumer, text))
        return Judgement(reading, self._choose_remedy(trouble_s, now), self._raise_alarm(reading, trouble_s))

    def _leave_out_gap(self, now: float) -> None:
        """Time in which nobody looked: this process stood still, or the server was away."""
        gap_s, self._looked_at = now - self._looked_at, now
        usual_s = self._ack_wait_s / SWEEPS_IN_A_WAIT
        if gap_s > 2 * usual_s:
            more_s = gap_s - usual_s
            self._still_since += more_s
            self._withheld_since += more_s
            self._forgotten_since += more_s
            if self._recreated_at is not None:
                self._recreated_at += more_s

    def _choose_remedy(self, trouble_s: float, now: float) -> Remedy | None:
        since_s = trouble_s if self._recreated_at is None else now - self._recreated_at
        if since_s >= RECREATE_WAITS * self._ack_wait_s:
            self._recreated_at = now
            return Remedy.RECREATE
        if not self._rebound and trouble_s >= REBIND_WAITS * self._ack_wait_s:
            self._rebound = True
            return Remedy.REBIND
        return None

    def _raise_alarm(self, reading: ConsumerReading, trouble_s: float) -> Alarm | None:
        if self._alarmed or trouble_s < ALARM_WAITS * self._ack_wait_s:
            return None
        self._alarmed = True
        return Alarm("stands still", reading.consumer, _describe_trouble(reading, trouble_s))


def _describe_trouble(reading: ConsumerReading, trouble_s: float) -> str:
    what = [f"{reading.pending} events wait for it"] if reading.pending else []
    what += [f"{reading.withheld} were given to a process that has them no more"] if reading.withheld else []
    what += [f"{reading.forgotten} are stored and not counted"] if reading.forgotten else []
    return (
        f"{reading.handler} stands still: {', '.join(what) or 'its events wait'}, and the server gives them to nobody "
        f"since {trouble_s:.1f} s."
    )


def _has_moved(before: ConsumerReading, now: ConsumerReading) -> bool:
    if now.outcomes != before.outcomes or now.waiting < before.waiting:
        return True
    if now.created != before.created:
        return now.given_out > 0  # made anew: that alone helps nobody
    return (before.given_out, before.done) != (now.given_out, now.done)


def _find_vanished(before: ConsumerReading, now: ConsumerReading, loses_events: bool) -> str | None:
    """What is gone for certain between two looks. Publishers only add, so a bound holds whatever they did.

    A killed server may give numbers anew of events that were done and removed: that is not a loss. Of one that is
    known to lose events it is taken for one.
    """
    if loses_events and now.last_stored < before.last_stored:
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


_REMEMBERED = ("created", "last_stored", "given_out", "done", "pending", "unacknowledged")  # of a reading


class Feed(Protocol):
    """What the sweeper needs of a feed."""

    outcomes: int

    @property
    def is_busy(self) -> bool: ...
    @property
    def at_work(self) -> int: ...
    def count_delayed(self) -> int: ...
    async def resume(self) -> None: ...


class Server(Protocol):
    """What the sweeper asks of the server. `find_oldest`: the number and the age of the oldest event after a number;
    `list_letters`: the subjects of all dead letters.
    """

    @property
    def loses_events(self) -> bool: ...
    def is_letter(self, subject: str) -> bool: ...
    async def read_state(self) -> ServerState: ...
    async def find_oldest(self, subject: str, after: int) -> tuple[int, float]: ...
    async def list_letters(self) -> Collection[str]: ...
    async def was_recreated(self, name: str, created: str) -> bool: ...
    async def recall(self, name: str) -> dict[str, Any] | None: ...
    async def remember(self, name: str, seen: dict[str, Any]) -> None: ...
    async def restore(self, name: str) -> None: ...
    async def recreate(self, name: str, created: str) -> None: ...


@dataclass(frozen=True)
class ServerState:
    """The stream and all of its consumers, at about one instant. `stream` None: it is not there."""

    stream: Any
    consumers: dict[str, Any]

    def count_stored(self, subject: str) -> int:
        """Events in the store that a consumer of that subject is for."""
        subjects: dict[str, int] = self.stream.subjects or {}
        if "*" not in subject and ">" not in subject:
            return subjects.get(subject, 0)
        return sum(count for one, count in subjects.items() if subject_matches(subject, one))


class Sweeper:
    """Of one transport. `feeds` gives (consumer name, handler, feed) of what runs here now."""

    def __init__(
        self,
        server: Server,
        outcomes: OutcomeLog,
        ack_wait_s: float,
        feeds: Callable[[], Sequence[tuple[str, str, Feed]]],
    ) -> None:
        self._server, self._outcomes, self._ack_wait_s, self._feeds = server, outcomes, ack_wait_s, feeds
        self._watches: dict[str, Watch] = {}
        self._gone: set[str] = set()
        self.readings: dict[str, ConsumerReading] = {}
        self.alarms: list[Alarm] = []
        self.alarm_count = self.heal_count = 0
        self.listeners: list[Callable[[str], None]] = []  # are told of each alarm at once
        self._standing: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._sooner = asyncio.Event()
        self._is_closing = False
        self._blind_since: float | None = None

    @property
    def is_healthy(self) -> bool:
        """Whether nothing stands still now. What is gone for good is in the alarms: waiting mends it no more."""
        return not self._standing

    def open(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more."""
        # A wait that ends just now may swallow the cancellation (`wait_for` of Python 3.11).
        self._is_closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def look_now(self) -> None:
        """The connection is back: whatever the server lost shows best now."""
        self._sooner.set()

    def to_stats(self) -> dict[str, Any]:
        """For statistics, metrics and pages."""
        readings = [
            {**asdict(reading), "withheld": reading.withheld, "forgotten": reading.forgotten}
            for reading in self.readings.values()
        ]
        return {
            "consumers": readings,
            "alarms": [asdict(alarm) for alarm in self.alarms],
            "alarm_count": self.alarm_count,
            "heal_count": self.heal_count,
            "healthy": self.is_healthy,
        }

    async def _run(self) -> None:
        while not self._is_closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._sooner.wait(), self._ack_wait_s / SWEEPS_IN_A_WAIT)
            self._sooner.clear()
            try:
                await self.sweep()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self._note_failure(error)
            else:
                self._blind_since = None
                self._standing.discard(_SERVER)

    def _note_failure(self, error: Exception) -> None:
        """The server is away, or does not say how its consumers are: for long, that is a standstill as any other."""
        now = time.monotonic()
        log.debug("the consumers could not be looked at: %s", error or type(error).__name__)
        if self._blind_since is None:
            self._blind_since = now
        blind_s = now - self._blind_since
        if blind_s >= ALARM_WAITS * self._ack_wait_s and _SERVER not in self._standing:
            why = str(error) or type(error).__name__
            text = f"The server does not say how the events of this process are, for {blind_s:.1f} s: {why}."
            self._raise_alarm(Alarm("stands still", _SERVER, text))

    async def sweep(self) -> None:
        """One look at every consumer that has a feed here."""
        feeds, log_of_confirmed = self._feeds(), self._outcomes.confirmed
        if not feeds:
            return
        confirmed = log_of_confirmed.list_confirmed() if log_of_confirmed is not None else {}
        for name, _, feed in feeds:
            if (at_work := feed.at_work) + (delayed := feed.count_delayed()):
                await self._outcomes.tell(name, at_work, delayed)
        state = await self._server.read_state()
        for name, handler, feed in feeds:
            if state.stream is None or name not in state.consumers:
                await self._bring_back(name, handler, feed, "stream" if state.stream is None else "consumer")
                continue
            self._gone.discard(name)
            await self._judge(await self._read(name, handler, feed, state), feed)
            subject = state.consumers[name].config.filter_subject
            if log_of_confirmed is not None and subject in confirmed:
                gone = log_of_confirmed.judge(name, confirmed[subject], state.count_stored(subject))
                if gone:
                    text = f"{gone} events that were confirmed for {handler} are gone: no outcome, and not stored."
                    self._raise_alarm(Alarm("vanished", name, text))
        if letters := {subject: told for subject, told in confirmed.items() if self._server.is_letter(subject)}:
            assert log_of_confirmed is not None
            if gone := log_of_confirmed.judge_letters(letters, await self._server.list_letters()):
                text = f"{gone} events whose dead letters were confirmed are gone: nobody removed the letters."
                self._raise_alarm(Alarm("vanished", "", text))
        for name in self.readings.keys() - {name for name, _, _ in feeds}:
            del self.readings[name]
            self._watches.pop(name, None)
            self._standing.discard(name)
        if state.stream is not None:
            await self._outcomes.write(state.stream.first_seq)

    async def _read(self, name: str, handler: str, feed: Feed, state: ServerState) -> ConsumerReading:
        info = state.consumers[name]
        at_work, delayed = self._outcomes.count_elsewhere(name)
        subject = info.config.filter_subject
        others = [one for other, one in state.consumers.items() if other != name]
        done = info.ack_floor.stream_seq if info.ack_floor else 0
        reading = ConsumerReading(
            name,
            handler,
            str(info.created),
            state.count_stored(subject),
            state.stream.last_seq,
            info.delivered.consumer_seq if info.delivered else 0,
            done,
            info.num_pending or 0,
            info.num_ack_pending or 0,
            feed.outcomes,
            feed.is_busy or at_work > 0,
            at_hand=feed.at_work + feed.count_delayed() + at_work + delayed,
            is_full=(info.num_ack_pending or 0) >= (info.config.max_ack_pending or 1) > 0,
            wanted_elsewhere=sum(
                (one.num_pending or 0) + (one.num_ack_pending or 0)
                for one in others
                if may_overlap(one.config.filter_subject, subject)
            ),
        )
        if reading.waiting:
            reading = replace(reading, oldest_s=(await self._server.find_oldest(subject, done))[1])
        if reading.forgotten:
            reading = replace(reading, first=(await self._server.find_oldest(subject, 0))[0])
        return reading

    async def _judge(self, reading: ConsumerReading, feed: Feed) -> None:
        watch = self._watches.get(reading.consumer)
        if watch is None:
            before, loses = await self._recall(reading), self._server.loses_events
            watch = self._watches[reading.consumer] = Watch(self._ack_wait_s, before, loses_events=loses)
        reading, remedy, alarm = watch.note(reading, time.monotonic())
        self.readings[reading.consumer] = reading
        await self._server.remember(reading.consumer, {name: getattr(reading, name) for name in _REMEMBERED})
        if not reading.still_s:
            self._standing.discard(reading.consumer)
        if alarm is not None:
            self._raise_alarm(alarm)
        if remedy is Remedy.RECREATE:
            self.heal_count += 1
            log.warning("the consumer of %s is made anew: %s", reading.handler, reading)
            await self._server.recreate(reading.consumer, reading.created)
            await feed.resume()
        elif remedy is Remedy.REBIND:
            self.heal_count += 1
            log.info("%s is bound to its events anew", reading.handler)
            await feed.resume()

    async def _recall(self, reading: ConsumerReading) -> ConsumerReading | None:
        """How the consumer was seen last, by whichever process: what the server lost while none looked shows there."""
        seen = await self._server.recall(reading.consumer)
        if seen is None or not seen.keys() >= set(_REMEMBERED):
            return None
        before = replace(reading, **{name: seen[name] for name in _REMEMBERED})
        if before.created != reading.created and not await self._server.was_recreated(reading.consumer, before.created):
            waited = f" {before.waiting} events waited for it when it was last seen." if before.waiting else ""
            text = f"The consumer of {reading.handler} was gone from the server, and was made again.{waited}"
            self._raise_alarm(Alarm("vanished" if before.waiting else "gone", reading.consumer, text))
        return before

    async def _bring_back(self, name: str, handler: str, feed: Feed, what: str) -> None:
        before = self.readings.get(name)
        try:
            await self._server.restore(name)
            await feed.resume()
        finally:
            if name not in self._gone:
                self._gone.add(name)
                lost = before is not None and before.waiting > 0
                waited = f" {before.waiting} events waited for it when it was last seen." if before and lost else ""
                text = f"The {what} of {handler} is gone from the server. It is made again.{waited}"
                self._raise_alarm(Alarm("vanished" if lost else "gone", name, text))

    def tell_loss(self, text: str) -> None:
        """Somebody else saw that events are gone."""
        self._raise_alarm(Alarm("vanished", "", text))

    def _raise_alarm(self, alarm: Alarm) -> None:
        log.error("alarm: %s", alarm.text)
        self.alarm_count += 1
        self.alarms.append(alarm)
        del self.alarms[:-MAX_ALARMS]
        if alarm.kind == "stands still":
            self._standing.add(alarm.consumer)
        for listener in self.listeners:
            listener(alarm.text)


def may_overlap(one: str | None, other: str | None) -> bool:
    """Whether an event may be wanted by both. Two plain subjects are the same or they are not."""
    return one == other or any("*" in (subject or ">") or ">" in (subject or ">") for subject in (one, other))


def subject_matches(pattern: str, subject: str) -> bool:
    """Whether a subject is among those of a pattern of NATS."""
    words, wanted = subject.split("."), pattern.split(".")
    if wanted[-1] == ">":
        wanted.pop()
        if len(words) <= len(wanted):
            return False
        words = words[: len(wanted)]
    return len(words) == len(wanted) and all(w in ("*", word) for w, word in zip(wanted, words, strict=True))
