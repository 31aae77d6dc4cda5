"""The log of a negotiation that many processes share: read what is new, append a whole move at once.

The lines are those of every log of ours (`stores.log_reading`): sealed, chained, with a head beside them. What differs
from `JsonlLog` is who writes: any process, one after the other, each under the directory's lock and none for long.

A kill tears at most the last write. A line without its newline was never acknowledged, so the next writer cuts it off;
of a move of several facts a beginning may stay, which is a state like any other: the session finishes it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from graphbus_core.errors import LogDamaged
from graphbus_core.files.lines import append, open_lines, whole_lines
from graphbus_core.files.sealed import FORMAT, Sealed, genesis, seal, seal_object
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.core import Entry, Event
from graphbus_core.stores.head import head_path, read_head
from graphbus_core.stores.log_reading import Damage, Sound, event_of

PROTOCOL = "document"


class DirectoryLog:
    """Facts in `path`. `append` gathers; `flush` writes; until then the file knows nothing of them."""

    def __init__(self, path: Path, events: Mapping[str, type[Event]], now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now
        self._events = events
        self._entries: list[Entry] = []
        self._unwritten: list[Event] = []
        self._sound = Sound(PROTOCOL)
        self._file: tuple[int, int, int] | None = None  # inode, size, time of change when last read
        self.reading = 0  # rises whenever a fold of this log no longer holds

    def __iter__(self) -> Iterator[Entry]:
        yield from self._entries
        for seq, event in enumerate(self._unwritten, len(self._entries) + 1):
            yield Entry(seq, event)

    def since(self, seq: int) -> list[Entry]:
        """The recorded facts after number `seq`."""
        return self._entries[seq:]

    def tail(self, count: int) -> list[Entry]:
        """The last recorded facts."""
        return self._entries[-count:]

    def __len__(self) -> int:
        return len(self._entries) + len(self._unwritten)

    def append(self, events: Sequence[Event]) -> None:
        """Gather facts for the next `flush`."""
        self._unwritten.extend(events)

    def drop(self) -> None:
        """Forget what was gathered. Whoever folded it along has to fold anew."""
        self._unwritten.clear()
        self.reading += 1

    def refresh(self) -> None:
        """Read what other processes added. Raises LogDamaged where a line does not follow from the one before it."""
        try:
            info = os.stat(self.path)
        except FileNotFoundError:
            if self._entries or read_head(self.path) is not None:
                self.forget()
                raise LogDamaged(f"{self.path} is gone. {_ADVICE}") from None
            return
        seen = (info.st_ino, info.st_size, info.st_mtime_ns)
        if seen == self._file:
            return
        if self._file is not None and (info.st_ino != self._file[0] or info.st_size < self._sound.size):
            self.forget()
        before = len(self._entries)
        with open(self.path, "rb") as source:
            source.seek(self._sound.size)
            for _, _, line in whole_lines(source):
                self._take(line)
        head = read_head(self.path)
        if head is not None and head.seq > len(self._entries):
            lost = head.seq - len(self._entries)
            raise LogDamaged(f"{self.path} is {lost} facts shorter than it was. {_ADVICE}")
        self._file = seen
        self.reading += len(self._entries) != before

    def forget(self) -> None:
        """Whatever was read: the file is another one now."""
        self._entries.clear()
        self._sound, self._file = Sound(PROTOCOL), None
        self.reading += 1

    def _take(self, line: bytes) -> None:
        found = self._sound.look(line)
        if isinstance(found, Damage):
            raise LogDamaged(f"{self.path}: {found}. {_ADVICE}")
        if isinstance(found, Sealed):
            self._entries.append(Entry(found.seq, event_of(self.path, found, self._events), found.at))
        # After its fact was read: `salvage` keeps what counts here, and a fact that cannot be read is not kept.
        self._sound.add(line, found)

    def flush(self) -> None:
        """Write what was gathered, in one piece, and wait for the disk. Raises OSError; then nothing was added."""
        if not self._unwritten:
            return
        at = round(self.now(), 3)
        parts: list[bytes] = []
        header = self._sound.header or {"log": FORMAT, "protocol": PROTOCOL, "id": "", "at": at}
        if self._sound.header is None:
            parts.append(seal_object(header))
        entries: list[Entry] = []
        hashed = self._sound.hash or genesis(PROTOCOL)
        for seq, event in enumerate(self._unwritten, len(self._entries) + 1):
            line, hashed = seal(seq, event.kind, event.to_dict(), at, hashed)
            parts.append(line)
            entries.append(Entry(seq, event, at))
        content = b"".join(parts)
        self._write(content)
        self._entries.extend(entries)
        self._unwritten.clear()
        self._sound.wrote(content, header, len(self._entries), hashed)
        # After the log itself, and not waited for: it may fall behind the log, never run ahead of it.
        with suppress(OSError):
            head = {"seq": len(self._entries), "hash": hashed, "pid": os.getpid()}
            put_whole(head_path(self.path), json.dumps(head).encode())

    def _write(self, content: bytes) -> None:
        descriptor = open_lines(self.path, follow=False)
        try:
            if os.fstat(descriptor).st_size > self._sound.size:
                os.ftruncate(descriptor, self._sound.size)  # a torn tail
            append(descriptor, content, durable=True)
            info = os.fstat(descriptor)
            self._file = (info.st_ino, info.st_size, info.st_mtime_ns)
        finally:
            os.close(descriptor)

    def salvage(self) -> Path | None:
        """Keep the longest valid beginning; put the file as it was beside it. Returns where, or None if all is well."""
        self.forget()
        try:
            self.refresh()
            return None
        except LogDamaged:
            aside = self.path.with_name(f"damaged-{time.time_ns()}.jsonl")
            if self.path.exists():
                put_whole(aside, self.path.read_bytes(), durable=True)  # the evidence, before it is cut
                os.truncate(self.path, self._sound.size)
            head_path(self.path).unlink(missing_ok=True)
            self.forget()
            self.refresh()
            return aside


_ADVICE = "Somebody changed it. `graphbus negotiate recover DIR` keeps what is valid before that line and goes on."
