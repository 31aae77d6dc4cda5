"""Logs and answers as files: one line a fact, durable before it is used, readable by `tail -f` while it grows.

One writer, any number of readers. A crash leaves at most an unfinished last write, which is cut off when the log is
opened again (what was cut is kept beside it); its facts follow anew. Any other damage is reported, and what is sound
before it is kept: see `log_reading`.
"""

from __future__ import annotations

import json
import mmap
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import Locked, LogDamaged, UsageError
from graphbus_core.negotiation.core import AnswerRefused, Entry, Event, Reply
from graphbus_core.storage.atomic_files import append, cut_off, iter_whole_lines, open_lines, sync_folder
from graphbus_core.storage.locks import try_lock
from graphbus_core.storage.sealed_lines import (
    FORMAT,
    SealedLine,
    compute_chain_hash,
    compute_genesis_hash,
    parse_line,
    parse_object,
    seal_line,
    seal_object,
)

# The head of a log: how far it got, kept beside it, and the lock of its one writer.
#
# The head is written after the log has reached the disk, so it is never ahead of it: a log that is shorter than its
# head has lost facts. The writer holds an `flock` on this file, which the system releases when the process dies,
# however it dies: a dead writer's lock is taken over by whoever comes next. Readers take no lock.


# Smaller than any block of a disk or page of memory, so that a crash cannot leave half of it.
_HEAD_SIZE = 128  # bytes, so that one write replaces all of it


@dataclass(frozen=True, slots=True)
class Head:
    """The last fact that is known to have been written."""

    seq: int
    hash: str


def head_path(log: Path) -> Path:
    """Where a log's head is kept."""
    return log.with_name(log.name + ".head")


def read_head(log: Path) -> Head | None:
    """The head, or None where there is none that can be read."""
    try:
        data = json.loads(head_path(log).read_bytes())
        return Head(int(data["seq"]), str(data["hash"]))
    except (OSError, ValueError, KeyError, TypeError):
        # No head is not damage here: who opens the log decides what it means, since old logs never had one.
        return None


class HeadFile:
    """The writer's hold on a log. Raises Locked where another live process has it."""

    def __init__(self, log: Path) -> None:
        self.path = head_path(log)
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # `flock` and not a file that is deleted at the end: a process that is killed deletes nothing.
            if not try_lock(self._fd):
                holder = _read_pid(self._fd)
                raise Locked(
                    f"{log} is being written by another process{f' (pid {holder})' if holder else ''}; "
                    "wait until it ends, or end it, and try again."
                )
            # Written through a mapping: a write call would change the file's times, and each sync of the log would
            # then have to bring this file's inode to the disk as well.
            if os.fstat(self._fd).st_size != _HEAD_SIZE:
                os.pwrite(self._fd, b" " * (_HEAD_SIZE - 1) + b"\n", 0)  # takes the room now: a full disk is said here
                os.ftruncate(self._fd, _HEAD_SIZE)
            self._page = mmap.mmap(self._fd, _HEAD_SIZE)
            self._pid = os.getpid()
        except BaseException:
            os.close(self._fd)
            # The descriptor holds the lock. Left open, it would lock the log until the process ends.
            raise

    def write(self, seq: int, hashed: str) -> None:
        """Record the last fact and the hash up to it. Not synced: it may fall behind the log, never run ahead of it."""
        self._page[:] = b"%-127b\n" % (b'{"seq":%d,"hash":"%s","pid":%d}' % (seq, hashed.encode(), self._pid))

    def close(self) -> None:
        """Let go of the log."""
        if self._fd >= 0:
            self._page.flush()
            self._page.close()
            # Synced once, at the end: the order "log first" is what must hold, and the log is synced with each
            # append.
            os.fsync(self._fd)
            os.close(self._fd)
            self._fd = -1


def _read_pid(fd: int) -> int | None:
    try:
        return int(json.loads(os.pread(fd, _HEAD_SIZE, 0))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


# Reading a log without writing it: whole, verified, or as it grows. Takes no lock.
#
# Damage is told apart by what it says: an *unfinished* last write (a crash; nothing that was relied on is lost), an
# altered line, a line of another log, a log shorter than its head.


@dataclass(frozen=True)
class Damage:
    """What is wrong, and where. `unfinished`: the end of a write that never ended; nothing else was lost."""

    line: int  # from 1, the header counted
    what: str
    unfinished: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True)
class Inspection:
    """What a log file holds, up to the first damage."""

    header: dict[str, Any] | None
    facts: int
    hash: str
    sound_bytes: int
    damage: Damage | None
    last_kind: str = ""
    head: Head | None = None


def inspect_log(path: Path) -> Inspection:
    """Verify every line of a log: checksum, chain, and the recorded head."""
    # Read before the log: read after it, a log that grew meanwhile would seem shorter than its head.
    head = read_head(path)
    log, last, seen_at_head = LogVerifier(), "", None
    damage: Damage | None = None
    if path.exists():
        with path.open("rb") as lines:
            for line in lines:
                item = log.check_line(line)
                if isinstance(item, Damage):
                    damage = item
                    # Nothing behind the first damage is believed. Its chain cannot be checked without what stands
                    # before.
                    break
                log.add(line, item)
                if isinstance(item, SealedLine):
                    last = item.kind
                # The head must be the hash of that very fact, or a log of another run that is longer would pass.
                if head is not None and log.facts == head.seq:
                    seen_at_head = log.hash
    if head is not None and head.seq > log.facts:
        lost = head.seq - log.facts
        what = f"{damage.what}; " if damage else ""
        damage = Damage(log.lines + 1, f"{what}the log is {lost} facts shorter than its recorded head")
    elif head is not None and head.seq > 0 and seen_at_head != head.hash and damage is None:
        damage = Damage(log.lines, "the log is not the one that its recorded head speaks of")
    elif damage is not None and head is not None and log.facts >= head.seq and _is_tail_unsound(path, log.size):
        # The head proves that nothing which was ever relied on stands behind this line.
        damage = Damage(damage.line, damage.what, unfinished=True)  # garbage after all that was ever relied on
    return Inspection(log.header, log.facts, log.hash, log.size, damage, last, head)


class LogVerifier:
    """The sound beginning of a log, line by line: the one place that says whether a line follows from those before.

    `protocol`: that of the log, where the reader knows it; a log of another one is not a log of theirs.
    """

    def __init__(self, protocol: str | None = None) -> None:
        self.protocol = protocol
        self.header: dict[str, Any] | None = None
        self.hash = ""
        self.lines = self.facts = self.size = 0  # `size` in bytes

    def check_line(self, line: bytes) -> SealedLine | dict[str, Any] | Damage:
        """The next line's fact, or the header; or what is wrong with it. It counts only with `add`."""
        number = self.lines + 1
        if not line.endswith(b"\n"):
            return Damage(number, "an unfinished write", unfinished=True)
        if self.header is None:
            header = parse_object(line[:-1])
            if header is None or header.get("log") != FORMAT or "protocol" not in header:
                return Damage(number, "this is not a log of GraphBus, or its header was altered")
            if self.protocol not in (None, header["protocol"]):
                return Damage(number, f"this is not a log of a {self.protocol} negotiation")
            return header
        sealed = parse_line(line[:-1])
        if sealed is None:
            return Damage(number, "altered")
        # Sequence and chain: a line of another log may have the right number, and a removed line leaves a gap.
        if sealed.seq != self.facts + 1 or compute_chain_hash(self.hash, sealed.facts) != sealed.hash:
            what = "it does not follow the line before it; it belongs to another log, or lines are missing"
            return Damage(number, what)
        return sealed

    def add(self, line: bytes, item: SealedLine | dict[str, Any]) -> None:
        """Take the line that was looked at as a part of the log."""
        self.lines += 1
        self.size += len(line)
        if isinstance(item, SealedLine):
            self.facts, self.hash = item.seq, item.hash
        else:
            self.header, self.hash = item, compute_genesis_hash(str(item["protocol"]))

    def extend(self, content: bytes, header: dict[str, Any], facts: int, hashed: str) -> None:
        """What this process itself put behind it, and where the log stands then."""
        self.lines += content.count(b"\n")
        self.size += len(content)
        self.header, self.facts, self.hash = header, facts, hashed


def decode_event(path: Path, sealed: SealedLine, events: Mapping[str, type[Event]]) -> Event:
    """The fact that a sound line holds. Raises LogDamaged where these kinds of facts do not read it."""
    # A refused answer is a fact of the engine, in every protocol, so it is known to every reader.
    kind = AnswerRefused if sealed.kind == AnswerRefused.kind else events.get(sealed.kind)
    if kind is None:
        # A kind of a later edition cannot be folded. To pass it over would show a state that never was.
        raise LogDamaged(f"{path}: fact {sealed.seq} is a {sealed.kind}, which this version does not know.")
    return kind.from_dict(sealed.decode_event())


def _is_tail_unsound(path: Path, sound: int) -> bool:
    """Whether no whole, unaltered line follows the sound part."""
    with path.open("rb") as file:
        file.seek(sound)
        # A whole sealed line behind garbage is not a torn write: somebody edited the file, and that is never cut
        # unasked.
        return all(parse_line(line[:-1]) is None for line in file)


class LogReader:
    """The facts of a log as far as it has grown. Iterating goes on where the last iteration stopped.

    An unfinished last line is left for later: its writer may be at work. Raises LogDamaged at an altered line.
    """

    def __init__(self, path: Path | str, events: Mapping[str, type[Event]], after: int = 0) -> None:
        self.path = Path(path)
        self.events = events
        self.after = after
        self._sound = LogVerifier()

    @property
    def offset(self) -> int:
        """How many bytes of the file have been read."""
        return self._sound.size

    def __iter__(self) -> Iterator[Entry]:
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            lines.seek(self._sound.size)
            for line in lines:
                item = self._sound.check_line(line)
                if isinstance(item, Damage):
                    if item.unfinished:
                        # Not an error: its writer may be in the middle of this very line.
                        return
                    raise LogDamaged(f"{self.path}: {item}. The {self._sound.facts} facts before it are sound.")
                self._sound.add(line, item)
                if isinstance(item, SealedLine) and item.seq > self.after:
                    yield Entry(item.seq, decode_event(self.path, item, self.events), item.at)


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
        request: Mapping[str, Any] | None = None,
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
            self._open(build_id, request)
        except BaseException:
            self.close()
            raise

    def _open(self, build_id: str, request: Mapping[str, Any] | None) -> None:
        inspection = inspect_log(self.path)
        size = self.path.stat().st_size if self.path.exists() else 0
        # An unfinished last write is what every crash leaves, and is cut off below. Anything else is somebody's edit or
        # a broken disk. It is never mended unasked, because the file may be all that is left to learn from.
        if inspection.damage is not None and not inspection.damage.unfinished:
            raise LogDamaged(
                f"{self.path}: {inspection.damage}. The {inspection.facts} facts before it are sound. Keep "
                f"the file as evidence"
                + (
                    f"; `graphbus log verify --repair {self.path}` cuts it there"
                    if inspection.header is not None
                    else ""
                )
                + (", or start over with --fresh." if self.protocol == "proposal" else ", or start a new one.")
            )
        if inspection.header is not None and inspection.header.get("protocol") != self.protocol:
            raise LogDamaged(f"{self.path} is the log of a {inspection.header.get('protocol')} negotiation.")
        if size > inspection.sound_bytes:
            cut_off(self.path, inspection.sound_bytes)
        self._fd = open_lines(self.path)
        self._seq, self._hash = inspection.facts, inspection.hash or compute_genesis_hash(self.protocol)
        self.header: dict[str, Any] = inspection.header or {}
        if inspection.header is None:
            self.header = {"log": FORMAT, "protocol": self.protocol, "id": build_id, "at": round(self.clock(), 3)}
            if request is not None:
                self.header["asked"] = dict(request)
            self._write(seal_object(self.header))
            sync_folder(self.path.parent)
        self._lock.write(self._seq, self._hash)

    @staticmethod
    def open_reader(path: Path | str, events: Mapping[str, type[Event]]) -> LogReader:
        """The facts of a log that somebody else may be writing; see `LogReader`."""
        return LogReader(path, events)

    @property
    def head(self) -> Head:
        """The last fact and the hash of all facts up to it."""
        return Head(self._seq, self._hash)

    def append(self, events: Sequence[Event]) -> None:
        """Add facts, in one write and one sync. Where that fails, the log is closed: open it again."""
        timestamp = self.clock()
        # In locals until the write has succeeded: after a full disk `head` still says what is in the file.
        seq, hashed, lines = self._seq, self._hash, []
        for event in events:
            seq += 1
            line, hashed = seal_line(seq, event.kind, event.to_dict(), timestamp, hashed)
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
        try:
            sync_folder(self.path.parent)
        except OSError:
            os.close(self._fd)
            raise

    def get(self, ask_id: str) -> Reply | None:
        """The reply to this ask, or None."""
        return self._replies.get(ask_id)

    def put(self, ask_id: str, reply: Reply) -> Reply:
        """Keep a reply, durably, unless there is one; the one that is kept."""
        existing = self._replies.get(ask_id)
        # The first answer wins, also against itself: a model that is asked twice after a crash may say something else,
        # and then two runs of the same negotiation would end differently.
        if existing is not None:
            return existing
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
        for _, start, line in iter_whole_lines(lines):
            sound = start + len(line)
            data = parse_object(line[:-1])
            if data is None or not isinstance(data.get("ask"), str):
                # To ask once more costs a question. To believe a damaged answer would put words into somebody's mouth.
                damaged += 1
                continue
            replies.setdefault(data["ask"], Reply(data.get("body"), data.get("why"), data.get("usage") or {}))
    return replies, damaged, sound


def repair_log(path: Path) -> int:
    """Cut a damaged log after its last sound fact, and let its head say so. How many facts are left.

    Raises UsageError where it is not a log, or nothing of it is sound, and leaves it as it is; Locked where somebody
    writes it.
    """
    if (header := inspect_log(path).header) is None:
        raise UsageError(f"{path} is not a log of GraphBus, or its first line is damaged: there is nothing to repair.")
    lock = HeadFile(path)
    try:
        # Again, under the lock: before it somebody may have written, or repaired.
        inspection = inspect_log(path)
        if path.exists() and path.stat().st_size > inspection.sound_bytes:
            cut_off(path, inspection.sound_bytes)
        lock.write(inspection.facts, inspection.hash or compute_genesis_hash(str(header["protocol"])))
        return inspection.facts
    finally:
        lock.close()
