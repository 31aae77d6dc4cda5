"""What publishers were confirmed, held against what has an outcome. Only over a server that is known to lose events.

Each process tells the others, and no store, which events the server confirmed to it (number in the stream, checksum of
the id), and which have an outcome. What was confirmed and has no outcome must still be in the store: where fewer are
there, the others are gone. New events do not hide that, as they hide it from a look at counts.

    confirmed, told before its publisher is   -   outcomes, told before the event is acknowledged   =   open
    fewer in the store than are open, for a whole wait: an alarm

A dead letter is confirmed like an event. Its subject is its own, so each is looked for by its name: the store must have
it until somebody is done with it, who tells that as an outcome.

An outcome is told on the connection that then acknowledges it, so the server hears of both or of the outcome. When the
connection is back, and when another process comes, each tells anew what it told in the last minutes. Before it tells
anything, it writes it into a file of this machine (`confirmed_files`): who comes next tells that as well, though all
who knew it were killed while the server was away. What stands on a machine to which nobody comes back is not counted.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import time
import zlib
from collections.abc import Collection, Iterator
from typing import Any

from graphbus_core.runtime.transports.nats.confirmed_files import ConfirmedFiles
from graphbus_core.runtime.transports.nats.outcomes import Outcome
from graphbus_core.runtime.transports.nats.space import SpaceNames

log = logging.getLogger("graphbus.runtime")
MAX_TOLD = 2_000  # in one message
MAX_KEPT = 200_000  # of each kind: older ones are judged no more
KEPT_S = 300.0
LETTER_WAITS = 2  # acknowledgement waits: an event that the server took back is buried anew meanwhile


class _Recent:
    """Outcomes or confirmations, with the time of each, as many and as long as they are kept."""

    def __init__(self) -> None:
        self._times: dict[Outcome, float] = {}

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._times

    def __len__(self) -> int:
        return len(self._times)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._times)

    def add(self, outcome: Outcome, now: float) -> None:
        self._times.setdefault(outcome, now)
        if len(self._times) > MAX_KEPT:
            del self._times[next(iter(self._times))]

    def discard(self, outcome: Outcome) -> None:
        self._times.pop(outcome, None)

    def forget_before(self, then: float) -> None:
        while self._times and (oldest := next(iter(self._times))) is not None and self._times[oldest] < then:
            del self._times[oldest]


class ConfirmedLog:
    """Of one process."""

    def __init__(
        self, connection: Any, names: SpaceNames, ack_wait_s: float, files: ConfirmedFiles | None = None
    ) -> None:
        self._files = files
        self._letters = names.dead_letters.rstrip(">")
        self._connection, self._prefix, self._ack_wait_s = connection, f"{names.space}.p", ack_wait_s
        self._mine: dict[str, _Recent] = {}  # told by this process, by what it is told under
        self._open: dict[str, _Recent] = {}  # by subject
        self._done: dict[str, _Recent] = {}  # by consumer
        self._short: dict[str, tuple[int, float]] = {}  # by consumer: how many are missing, and since when
        self._alarmed: dict[str, int] = {}
        self._letters_short: dict[str, float] = {}  # by subject: since when a letter is missing; infinite: it was told

    async def open(self) -> None:
        """Hear what others tell, and what they told before this process came."""
        await self._connection.subscribe(f"{self._prefix}.*", cb=self._hear)
        await self._connection.subscribe(f"{self._prefix}.ask.*", cb=self._reply)
        self._read_files()
        if self._mine:
            await self.tell_anew()
        await self._connection.publish(f"{self._prefix}.ask.again", b"")

    def _read_files(self) -> None:
        """Processes of this machine that are no more may have known what nobody else knows."""
        with contextlib.suppress(OSError):
            for what, outcomes, ago_s in self._files.read() if self._files is not None else ():
                mine, then = self._mine.setdefault(what, _Recent()), time.monotonic() - ago_s
                for outcome in outcomes:
                    mine.add(outcome, then)
                self._take(what, outcomes)

    def close(self) -> None:
        """Write no more."""
        if self._files is not None:
            self._files.close()

    async def _reply(self, message: Any) -> None:
        await self.tell_anew()

    async def tell_confirmed(self, subject: str, number: int, event_id: str) -> None:
        """The server confirmed an event to this process, and its publisher is told next."""
        check = zlib.crc32(event_id.encode("utf-8", "surrogatepass"))
        await self._tell(f"c {subject}", [(number, check)])

    async def tell_outcome(self, consumer: str, outcome: Outcome) -> None:
        """An event is done, and is acknowledged next."""
        await self._tell(f"d {consumer}", [outcome])

    async def tell_anew(self) -> None:
        """The connection is back: what was told while it broke may have reached nobody."""
        for what, mine in list(self._mine.items()):
            mine.forget_before(time.monotonic() - KEPT_S)
            if not mine and what[2:].startswith(self._letters):
                del self._mine[what]
            outcomes = list(mine)
            for first in range(0, len(outcomes), MAX_TOLD):
                await self._publish(what, outcomes[first : first + MAX_TOLD])

    async def _tell(self, what: str, outcomes: list[Outcome]) -> None:
        mine, now = self._mine.setdefault(what, _Recent()), time.monotonic()
        for outcome in outcomes:
            mine.add(outcome, now)
        self._take(what, outcomes)
        if self._files is not None:
            try:
                self._files.write(what, outcomes)
            except OSError as error:
                log.warning("what the bus confirmed cannot be written down, and a loss may go unseen: %s", error)
                self._files = None
        with contextlib.suppress(Exception):  # it is told anew when the connection is back
            await self._publish(what, outcomes)

    async def _publish(self, what: str, outcomes: list[Outcome]) -> None:
        await self._connection.publish(f"{self._prefix}.{what[0]}", json.dumps([what, outcomes]).encode())

    async def _hear(self, message: Any) -> None:
        with contextlib.suppress(ValueError, TypeError):
            what, outcomes = json.loads(message.data)
            self._take(str(what), [(int(number), int(check)) for number, check in outcomes])

    def _take(self, what: str, outcomes: list[Outcome]) -> None:
        kept = self._open if what[0] == "c" else self._done
        recent, now = kept.setdefault(what[2:], _Recent()), time.monotonic()
        for outcome in outcomes:
            recent.add(outcome, now)

    def list_confirmed(self) -> dict[str, list[Outcome]]:
        """By subject. Taken before the store is counted: what comes after that may be in no count."""
        for kept in (self._open, self._done):
            for key, recent in list(kept.items()):
                recent.forget_before(time.monotonic() - KEPT_S)
                if not recent and key.startswith(self._letters):  # each letter has a subject of its own
                    del kept[key]
        return {subject: list(recent) for subject, recent in self._open.items()}

    def judge(self, consumer: str, confirmed: list[Outcome], stored: int) -> int:
        """How many of these are newly known to be gone for that consumer, where so many of its subject are stored."""
        now, done = time.monotonic(), self._done.setdefault(consumer, _Recent())
        missing = sum(outcome not in done for outcome in confirmed) - stored
        before, since = self._short.get(consumer, (0, now))
        if missing <= 0:
            self._short.pop(consumer, None)
            return 0
        lowest = min(before, missing) if before else missing
        self._short[consumer] = lowest, since
        new = lowest - self._alarmed.get(consumer, 0)
        if new <= 0 or now - since < self._ack_wait_s:
            return 0
        self._alarmed[consumer] = lowest
        self._short.pop(consumer)
        return new

    def judge_letters(self, confirmed: dict[str, list[Outcome]], stored: Collection[str]) -> int:
        """How many dead letters, confirmed under these subjects, are newly known to be gone; `stored`: those there."""
        now = time.monotonic()
        done = {
            subject: max((number for number, _ in self._done.get(subject, ())), default=-1) for subject in confirmed
        }
        missing = [s for s, told in confirmed.items() if s not in stored and max(told)[0] > done[s]]
        self._letters_short = {subject: self._letters_short.get(subject, now) for subject in missing}
        gone = [s for s, since in self._letters_short.items() if now - since >= LETTER_WAITS * self._ack_wait_s]
        self._letters_short |= dict.fromkeys(gone, math.inf)
        return len(gone)
