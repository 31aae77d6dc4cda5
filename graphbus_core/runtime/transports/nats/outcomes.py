"""Which events have an outcome, written down where every process of the space can read it.

The server says up to where a consumer is acknowledged. A server that was killed, or whose clock jumped, may say it
wrongly, and its consumer is then made anew: what has an outcome here is acknowledged without its handler.

Nothing is written of an event that the stream no longer holds, so a space that keeps up writes nothing. What was not
written when a process was killed is handled once more, under its own id: at least once, as always.

Beside it each process tells the others, and no store, how much it has at hand: an event that a handler works on for an
hour, or that waits for its next try, is not one that the server forgot.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from graphbus_core.runtime.transports.nats.space import SpaceNames

if TYPE_CHECKING:
    from graphbus_core.runtime.transports.nats.confirmed import ConfirmedLog

Outcome = tuple[
    int, int
]  # number in the stream, checksum of the event's id: numbers come again where a stream goes back
MAX_IN_RECORD = 50_000  # outcomes in one message, some 300 kB


def build_outcome(reply: str, event_id: str) -> Outcome:
    """Of an event, by where its message is acknowledged."""
    return parse_reply(reply)[1], zlib.crc32(event_id.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=4_096)  # each message is asked two or three times, by those who handle it and who note it
def parse_reply(reply: str) -> tuple[int, int]:
    """How often the server gave a message out, this time included, and its number in the stream.

    A subject with a domain has two words more.
    """
    words = reply.split(".")
    at = 6 if len(words) > 9 else 4
    try:
        return int(words[at]), int(words[at + 1])
    except (IndexError, ValueError):
        return 1, 0


@dataclass(frozen=True)
class _Record:
    subject: str
    highest: int


class OutcomeLog:
    """The outcomes of one process, by consumer; and what other processes have at hand, `at_hand`."""

    def __init__(self, connection: Any, js: Any, names: SpaceNames, fresh_s: float) -> None:
        self._connection, self._js, self._names, self._fresh_s = connection, js, names, fresh_s
        self._who = f"{_clean(socket.gethostname())}-{os.getpid()}-{os.urandom(3).hex()}"
        self._unwritten: dict[str, list[Outcome]] = {}
        self._records: list[_Record] = []
        self._number = 0
        self._others: dict[str, dict[str, tuple[int, int, float]]] = {}
        self.confirmed: ConfirmedLog | None = None  # where the server is known to lose events

    async def open(self) -> None:
        """Hear what others have at hand."""
        await self._connection.subscribe(f"{self._names.work_prefix}.*", cb=self._hear)

    def note(self, consumer: str, outcome: Outcome) -> None:
        """An event of that consumer is done, or among the dead letters."""
        self._unwritten.setdefault(consumer, []).append(outcome)

    # What is at hand

    async def tell(self, consumer: str, at_work: int, delayed: int) -> None:
        """Tell the other processes what this one has at hand."""
        data = json.dumps([self._who, at_work, delayed]).encode()
        await self._connection.publish(f"{self._names.work_prefix}.{consumer}", data)

    async def _hear(self, message: Any) -> None:
        with contextlib.suppress(ValueError, TypeError):
            who, at_work, delayed = json.loads(message.data)
            if who != self._who:
                told = self._others.setdefault(message.subject.rpartition(".")[2], {})
                told[who] = int(at_work), int(delayed), time.monotonic()

    def count_elsewhere(self, consumer: str) -> tuple[int, int]:
        """How many events of that consumer other processes work on, and how many wait there for their next try."""
        told = self._others.get(consumer, {})
        since = time.monotonic() - self._fresh_s
        for who in [who for who, (_, _, at) in told.items() if at < since]:
            del told[who]
        return sum(at_work for at_work, _, _ in told.values()), sum(delayed for _, delayed, _ in told.values())

    # What is written down

    async def write(self, first_stored: int) -> None:
        """Write what is not written, as far as the stream may still hold it; remove records that it has outlived."""
        for consumer, outcomes in list(self._unwritten.items()):
            left = [outcome for outcome in outcomes if outcome[0] >= first_stored]
            self._unwritten[consumer] = left[MAX_IN_RECORD:]
            if left:
                await self._write_record(consumer, left[:MAX_IN_RECORD])
        for record in [record for record in self._records if record.highest < first_stored]:
            self._records.remove(record)
            await self._js.purge_stream(self._names.outcome_stream, subject=record.subject)

    async def _write_record(self, consumer: str, outcomes: list[Outcome]) -> None:
        self._number += 1
        subject = f"{self._names.build_outcome_prefix(consumer)}.{self._who}.{self._number}"
        try:
            await self._js.publish(subject, zlib.compress(json.dumps(outcomes).encode(), 1))
        except Exception:
            self._unwritten[consumer] = outcomes + self._unwritten[consumer]
            raise
        self._records.append(_Record(subject, max(number for number, _ in outcomes)))

    async def read(self, consumer: str) -> set[Outcome]:
        """Every outcome of that consumer that was written down, by any process, and those of this one."""
        prefix = f"{self._names.build_outcome_prefix(consumer)}.>"
        outcomes = set(self._unwritten.get(consumer, ()))
        info = await self._js.stream_info(self._names.outcome_stream, subjects_filter=prefix)
        for subject in info.state.subjects or ():
            with contextlib.suppress(Exception):  # removed meanwhile: the stream has outlived it
                message = await self._js.get_last_msg(self._names.outcome_stream, subject)
                outcomes.update((number, check) for number, check in json.loads(zlib.decompress(message.data)))
        return outcomes

    async def forget(self, consumer: str) -> None:
        """The consumer is retired."""
        self._unwritten.pop(consumer, None)
        prefix = f"{self._names.build_outcome_prefix(consumer)}.>"
        await self._js.purge_stream(self._names.outcome_stream, subject=prefix)


def _clean(text: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)
