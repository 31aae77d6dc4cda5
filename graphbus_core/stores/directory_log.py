"""The log of a negotiation that many processes share: read what is new, append a whole move or nothing.

One JSON line a fact; each carries the hash of the line before it, so that a change anywhere is seen. A move of
several facts is one write, flushed to the disk before anybody is told. Who appends holds the directory's lock.

A kill tears at most the last line, also one that is whole but for its newline: it was never acknowledged, so the next
writer cuts it off. The facts of one move carry its size, so that half a move is cut off with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.core import AnswerRefused, Entry, Event

START = "0" * 32


class DirectoryLog:
    """Facts in `path`. `append` gathers; `flush` writes; until then the file knows nothing of them."""

    def __init__(self, path: Path, events: Mapping[str, type[Event]], now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now
        self._classes: dict[str, type[Event]] = {**events, AnswerRefused.kind: AnswerRefused}
        self._entries: list[Entry] = []
        self._unwritten: list[Event] = []
        self._offset = 0
        self._hash = START
        self._file: tuple[int, int, int] | None = None  # inode, size, time of change when last read

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
        """Forget what was gathered."""
        self._unwritten.clear()

    def refresh(self) -> bool:
        """Read what other processes added. True if there was anything, or the file is another one than before.

        Raises LogDamaged where a line does not follow from the one before it.
        """
        try:
            info = os.stat(self.path)
        except FileNotFoundError:
            changed = bool(self._entries)
            self._forget()
            return changed
        seen = (info.st_ino, info.st_size, info.st_mtime_ns)
        if seen == self._file:
            return False
        if self._file is not None and (info.st_ino != self._file[0] or info.st_size < self._offset):
            self._forget()
        before = len(self._entries)
        with open(self.path, "rb") as source:
            source.seek(self._offset)
            data = source.read()
        self._read(data)
        self._file = seen
        return len(self._entries) != before or before == 0

    def _forget(self) -> None:
        self._entries.clear()
        self._offset, self._hash, self._file = 0, START, None

    def _read(self, data: bytes) -> None:
        move: list[Entry] = []
        offset, chain = self._offset, self._hash
        position = 0
        while (end := data.find(b"\n", position)) != -1:
            line = data[position:end]
            number = len(self._entries) + len(move) + 1
            entry, chain, left = self._line(line, number, chain)
            offset += len(line) + 1
            position = end + 1
            move.append(entry)
            if left == 0:
                self._entries.extend(move)
                move = []
                self._offset, self._hash = offset, chain

    def _line(self, line: bytes, number: int, chain: str) -> tuple[Entry, str, int]:
        try:
            digest, body = line[:32].decode("ascii"), line[33:]
            data = json.loads(body)
            kind, at, left = data["kind"], float(data["at"]), int(data["left"])
            cls = self._classes[kind]
        except (ValueError, KeyError, TypeError):
            raise LogDamaged(f"{self.path}: line {number} cannot be read. {_ADVICE}") from None
        if digest != _chain(chain, body) or data["seq"] != number:
            raise LogDamaged(f"{self.path}: line {number} does not follow from the line before it. {_ADVICE}")
        return Entry(number, cls.from_dict(data["fact"]), at), digest, left

    def flush(self) -> None:
        """Write what was gathered, in one piece, and wait for the disk. Raises OSError; then nothing was added."""
        if not self._unwritten:
            return
        at = self.now()
        parts: list[bytes] = []
        entries: list[Entry] = []
        chain = self._hash
        for place, event in enumerate(self._unwritten, 1):
            seq = len(self._entries) + place
            data = {"seq": seq, "at": round(at, 3), "left": len(self._unwritten) - place, "kind": event.kind}
            body = json.dumps({**data, "fact": event.to_dict()}, ensure_ascii=True, separators=(",", ":")).encode()
            chain = _chain(chain, body)
            parts.append(chain.encode() + b" " + body + b"\n")
            entries.append(Entry(seq, event, at))
        content = b"".join(parts)
        self._write(content)
        self._entries.extend(entries)
        self._unwritten.clear()
        self._offset += len(content)
        self._hash = chain

    def _write(self, content: bytes) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            if os.fstat(descriptor).st_size > self._offset:
                os.ftruncate(descriptor, self._offset)  # a torn tail
            done = 0
            try:
                while done < len(content):
                    done += os.pwrite(descriptor, content[done:], self._offset + done)
                os.fdatasync(descriptor)
            except BaseException:
                os.ftruncate(descriptor, self._offset)
                raise
            info = os.fstat(descriptor)
            self._file = (info.st_ino, info.st_size, info.st_mtime_ns)
        finally:
            os.close(descriptor)

    def salvage(self) -> Path | None:
        """Keep the longest valid beginning; put the file as it was beside it. Returns where, or None if all is well."""
        self._forget()
        try:
            self.refresh()
            return None
        except LogDamaged:
            aside = self.path.with_name(f"damaged-{time.time_ns()}.jsonl")
            data = self.path.read_bytes()
            aside.write_bytes(data)
            offset = self._offset
            os.truncate(self.path, offset)
            self._forget()
            self.refresh()
            return aside


_ADVICE = "Somebody changed it. `graphbus negotiate recover DIR` keeps what is valid before that line and goes on."


def _chain(before: str, body: bytes) -> str:
    return hashlib.blake2b(before.encode() + body, digest_size=16).hexdigest()
