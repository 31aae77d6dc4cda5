"""Logs and answers as files: one line a fact, durable before it is used, readable by `tail -f` while it grows.

One writer, any number of readers. A crash leaves at most an unfinished last write, which is cut off when the log is
opened again (what was cut is kept beside it); its facts follow anew. Any other damage is said, and what is sound
before it is kept: see `log_reading`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.files.lines import append, cut_off, open_lines, whole_lines
from graphbus_core.files.sealed import FORMAT, genesis, seal, seal_object, unseal_object
from graphbus_core.files.whole import sync_folder
from graphbus_core.negotiation.core import Entry, Event, Reply
from graphbus_core.stores.head import Head, HeadFile, read_head
from graphbus_core.stores.log_reading import LogReader, inspect_log

Clock = Callable[[], float]


class JsonlLog:
    """A negotiation's log in a file. Opening it takes the writer's lock, verifies it, and cuts an unfinished write.

    `events` are the protocol's kinds of facts, `protocol` its name; `build_id` names the build, and `asked` is what it
    was asked for: both stand in the header of a new log. Raises Locked, or LogDamaged where facts that had been written
    are missing or altered.
    """

    def __init__(
        self,
        path: Path | str,
        events: Mapping[str, type[Event]],
        build_id: str = "",
        protocol: str = "proposal",
        clock: Clock = time.time,
        durable: bool = True,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = Path(path)
        self.protocol = protocol
        self.events = events
        self.clock = clock
        self.durable = durable
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Before anything is looked at: what another writer is about to append must not be taken for a torn end.
        self._lock = HeadFile(self.path)
        self._fd = -1
        try:
            self._open(build_id, asked)
        except BaseException:
            self.close()
            raise

    def _open(self, build_id: str, asked: Mapping[str, Any] | None) -> None:
        found = inspect_log(self.path)
        size = self.path.stat().st_size if self.path.exists() else 0
        # An unfinished last write is what every crash leaves, and is cut off below. Anything else is somebody's edit or
        # a broken disk. It is never mended unasked, because the file may be all that is left to learn from.
        if found.damage is not None and not found.damage.unfinished:
            raise LogDamaged(
                f"{self.path}: {found.damage}. The {found.facts} facts before it are sound. Keep the file as evidence"
                + (f"; `graphbus log verify --repair {self.path}` cuts it there" if found.header is not None else "")
                + (", or start over with --fresh." if self.protocol == "proposal" else ", or start a new one.")
            )
        if found.header is not None and found.header.get("protocol") != self.protocol:
            raise LogDamaged(f"{self.path} is the log of a {found.header.get('protocol')} negotiation.")
        if size > found.sound_bytes:
            cut_off(self.path, found.sound_bytes)
        self._fd = open_lines(self.path)
        self._seq, self._hash = found.facts, found.hash or genesis(self.protocol)
        self.header: dict[str, Any] = found.header or {}
        if found.header is None:
            self.header = {"log": FORMAT, "protocol": self.protocol, "id": build_id, "at": round(self.clock(), 3)}
            if asked is not None:
                self.header["asked"] = dict(asked)
            self._write(seal_object(self.header))
            sync_folder(self.path.parent)
        self._lock.write(self._seq, self._hash)

    @staticmethod
    def read(path: Path | str, events: Mapping[str, type[Event]]) -> LogReader:
        """The facts of a log that somebody else may be writing; see `LogReader`."""
        return LogReader(path, events)

    @property
    def head(self) -> Head:
        """The last fact and the hash of all facts up to it."""
        return Head(self._seq, self._hash)

    def append(self, events: Sequence[Event]) -> None:
        """Add facts, in one write and one sync. Where that fails, the log is closed: open it again."""
        at = self.clock()
        # In locals until the write has succeeded: after a full disk `head` still says what is in the file.
        seq, hashed, lines = self._seq, self._hash, []
        for event in events:
            seq += 1
            line, hashed = seal(seq, event.kind, event.to_dict(), at, hashed)
            lines.append(line)
        try:
            self._write(b"".join(lines))
        except BaseException:
            self.close()
            raise
        self._seq, self._hash = seq, hashed
        self._lock.write(seq, hashed)

    def _write(self, data: bytes) -> None:
        append(self._fd, data, durable=self.durable)

    def __iter__(self) -> Iterator[Entry]:
        """All facts, read from the file."""
        yield from LogReader(self.path, self.events)

    def __len__(self) -> int:
        return self._seq

    def close(self) -> None:
        """Let the next writer in."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        self._lock.close()

    def __enter__(self) -> JsonlLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class JsonlAnswers:
    """Replies in a file, each kept durably before it is used; the first one to a question wins.

    A line that is torn or altered is not a reply, and its question is asked again; `damaged` counts them.
    """

    def __init__(self, path: Path | str, clock: Clock = time.time, durable: bool = True) -> None:
        self.path = Path(path)
        self.clock = clock
        self.durable = durable
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._replies, self.damaged, sound = read_answers(self.path)
        if self.path.exists() and self.path.stat().st_size > sound:
            cut_off(self.path, sound)
        self._fd = open_lines(self.path)
        sync_folder(self.path.parent)

    def get(self, ask_id: str) -> Reply | None:
        """The reply to this ask, or None."""
        return self._replies.get(ask_id)

    def put(self, ask_id: str, reply: Reply) -> Reply:
        """Keep a reply, durably, unless there is one; the one that is kept."""
        kept = self._replies.get(ask_id)
        # The first answer wins, also against itself: a model that is asked twice after a crash may say something else,
        # and then two runs of the same negotiation would end differently.
        if kept is not None:
            return kept
        line = {"ask": ask_id, "body": reply.body, "why": reply.why, "usage": reply.usage, "at": round(self.clock(), 3)}
        append(self._fd, seal_object(line), durable=self.durable)
        self._replies[ask_id] = reply
        return reply

    def __len__(self) -> int:
        return len(self._replies)

    def __iter__(self) -> Iterator[tuple[str, Reply]]:
        return iter(self._replies.items())

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> JsonlAnswers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_answers(path: Path) -> tuple[dict[str, Reply], int, int]:
    """The replies in a file, how many lines were damaged, and how many bytes end with a whole line."""
    replies: dict[str, Reply] = {}
    damaged = sound = 0
    if not path.exists():
        return replies, 0, 0
    with path.open("rb") as lines:
        for _, start, line in whole_lines(lines):
            sound = start + len(line)
            found = unseal_object(line[:-1])
            if found is None or not isinstance(found.get("ask"), str):
                # To ask once more costs a question. To believe a damaged answer would put words into somebody's mouth.
                damaged += 1
                continue
            replies.setdefault(found["ask"], Reply(found.get("body"), found.get("why"), found.get("usage") or {}))
    return replies, damaged, sound


def repair(path: Path) -> int:
    """Cut a damaged log after its last sound fact, and let its head say so. How many facts are left.

    Raises UsageError where it is not a log, or nothing of it is sound, and leaves it as it is; Locked where somebody
    writes it.
    """
    if (header := inspect_log(path).header) is None:
        raise UsageError(f"{path} is not a log of GraphBus, or its first line is damaged: there is nothing to repair.")
    lock = HeadFile(path)
    try:
        # Again, under the lock: before it somebody may have written, or repaired.
        found = inspect_log(path)
        if path.exists() and path.stat().st_size > found.sound_bytes:
            cut_off(path, found.sound_bytes)
        lock.write(found.facts, found.hash or genesis(str(header["protocol"])))
        return found.facts
    finally:
        lock.close()


__all__ = ["Head", "JsonlAnswers", "JsonlLog", "read_answers", "read_head", "repair"]
