"""The log of a negotiation that many processes share: read what is new, append a whole move at once.

The lines are those of every log of ours (`stores.lines`): sealed, chained, with a head beside them. What differs from
`JsonlLog` is who writes: any process, one after the other, each under the directory's lock and none for long.

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
from graphbus_core.files.lines import append, open_lines
from graphbus_core.files.sealed import FORMAT, chain, genesis, seal, seal_object, unseal, unseal_object
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.core import AnswerRefused, Entry, Event
from graphbus_core.stores.head import head_path, read_head

PROTOCOL = "document"


class DirectoryLog:
    """Facts in `path`. `append` gathers; `flush` writes; until then the file knows nothing of them."""

    def __init__(self, path: Path, events: Mapping[str, type[Event]], now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now
        self._classes: dict[str, type[Event]] = {**events, AnswerRefused.kind: AnswerRefused}
        self._entries: list[Entry] = []
        self._unwritten: list[Event] = []
        self._offset = 0
        self._hash = genesis(PROTOCOL)
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
        if self._file is not None and (info.st_ino != self._file[0] or info.st_size < self._offset):
            self.forget()
        before = len(self._entries)
        with open(self.path, "rb") as source:
            source.seek(self._offset)
            data = source.read()
        self._read(data)
        head = read_head(self.path)
        if head is not None and head.seq > len(self._entries):
            lost = head.seq - len(self._entries)
            raise LogDamaged(f"{self.path} is {lost} facts shorter than it was. {_ADVICE}")
        self._file = seen
        self.reading += len(self._entries) != before

    def forget(self) -> None:
        """Whatever was read: the file is another one now."""
        self._entries.clear()
        self._offset, self._hash, self._file = 0, genesis(PROTOCOL), None
        self.reading += 1

    def _read(self, data: bytes) -> None:
        position = 0
        while (end := data.find(b"\n", position)) != -1:
            line = data[position:end]
            if self._offset == 0:
                header = unseal_object(line)
                if header is None or header.get("log") != FORMAT or header.get("protocol") != PROTOCOL:
                    raise LogDamaged(f"{self.path}: this is no log of a document negotiation. {_ADVICE}")
            else:
                self._entries.append(self._line(line, len(self._entries) + 1))
            position = end + 1
            self._offset += len(line) + 1

    def _line(self, line: bytes, number: int) -> Entry:
        sealed = unseal(line)
        if sealed is None:
            raise LogDamaged(f"{self.path}: fact {number} was altered. {_ADVICE}")
        if sealed.seq != number or chain(self._hash, sealed.facts) != sealed.hash:
            raise LogDamaged(f"{self.path}: fact {number} does not follow from the one before it. {_ADVICE}")
        cls = self._classes.get(sealed.kind)
        if cls is None:
            raise LogDamaged(f"{self.path}: fact {number} is a {sealed.kind}, which this version does not know.")
        entry = Entry(number, cls.from_dict(sealed.data()), sealed.at)
        self._hash = sealed.hash
        return entry

    def flush(self) -> None:
        """Write what was gathered, in one piece, and wait for the disk. Raises OSError; then nothing was added."""
        if not self._unwritten:
            return
        at = round(self.now(), 3)
        parts: list[bytes] = []
        if self._offset == 0:
            parts.append(seal_object({"log": FORMAT, "protocol": PROTOCOL, "id": "", "at": at}))
        entries: list[Entry] = []
        hashed = self._hash
        for seq, event in enumerate(self._unwritten, len(self._entries) + 1):
            line, hashed = seal(seq, event.kind, event.to_dict(), at, hashed)
            parts.append(line)
            entries.append(Entry(seq, event, at))
        content = b"".join(parts)
        self._write(content)
        self._entries.extend(entries)
        self._unwritten.clear()
        self._offset += len(content)
        self._hash = hashed
        # After the log itself, and not waited for: it may fall behind the log, never run ahead of it.
        with suppress(OSError):
            head_path(self.path).write_text(json.dumps({"seq": len(self._entries), "hash": hashed, "pid": os.getpid()}))

    def _write(self, content: bytes) -> None:
        descriptor = open_lines(self.path, follow=False)
        try:
            if os.fstat(descriptor).st_size > self._offset:
                os.ftruncate(descriptor, self._offset)  # a torn tail
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
                os.truncate(self.path, self._offset)
            head_path(self.path).unlink(missing_ok=True)
            self.forget()
            self.refresh()
            return aside


_ADVICE = "Somebody changed it. `graphbus negotiate recover DIR` keeps what is valid before that line and goes on."
