"""One negotiation's folder as each part of an operation sees it: its folded log, its files, what this visit learned.

The parts (how others' moves are read, how a turn ends, what the files are told) are given a `Folder`, and know nothing
of the lock. `LockedFolder` holds it around them, and says in which order they come.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from graphbus_core.errors import LogDamaged
from graphbus_core.logs.jsonl import Damage, LogVerifier, decode_event, head_path, read_head
from graphbus_core.negotiation.core import Entry, Event, Json, Session
from graphbus_core.negotiation.document import events
from graphbus_core.negotiation.document.model import Reason
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document import files
from graphbus_core.sessions.document.review import FileCache
from graphbus_core.storage.atomic_files import append, iter_whole_lines, open_lines, write_atomic
from graphbus_core.storage.sealed_lines import FORMAT, SealedLine, compute_genesis_hash, seal_line, seal_object

# How long the others have been silent, by this machine's monotonic clock alone.
#
# No two clocks are compared and no wall clock is read: every machine that looks at the directory keeps its own note of
# when *it* first saw the present turn, and the last sign of life in it. A clock that jumps, a machine that slept or was
# started again, or a directory that two machines share can only make us wait longer, never skip who is alive.


BEAT_S = 0.2


@cache
def read_boot_id() -> str:
    """What a monotonic time belongs to: this start of this machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:13]
    except OSError:
        return os.uname().nodename or "here"


@dataclass(slots=True)
class Sighting:
    """What this machine saw, and when (monotonic seconds)."""

    phase: str = ""  # "registration", "analysis", "turn 7"
    since: float = 0.0
    beat: str = ""
    beat_at: float = 0.0


class SilenceWatch:
    """The note of one machine in one directory. Call it only while the directory's lock is held."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder
        self.now = now
        self._path = folder / f"seen-{read_boot_id()}.json"
        self._beat = folder / "beat"

    def observe(self, phase: str, signs: str) -> tuple[float, float]:
        """(seconds since this phase was first seen, seconds since the last sign of life in it)."""
        now = self.now()
        sighting = self._load()
        beat = f"{self._read_beat()} {signs}"
        if sighting.phase != phase or now < sighting.since:
            sighting = Sighting(phase, now, beat, now)
            self._save(sighting)
        elif sighting.beat != beat or now < sighting.beat_at:
            sighting.beat, sighting.beat_at = beat, now
            self._save(sighting)
        return now - sighting.since, now - sighting.beat_at

    def record_heartbeat(self) -> None:
        """The holder is alive: it polled, wrote through us, or renewed. A beat of just now is not written again."""
        boot_id, _, rest = self._read_beat().partition(" ")
        try:
            if boot_id == read_boot_id() and 0 <= self.now() - float(rest.partition(" ")[0]) < BEAT_S:
                return
        except ValueError:
            pass  # somebody's rubbish: written over
        try:
            write_atomic(self._beat, f"{read_boot_id()} {self.now():.3f} {os.getpid()}".encode())
        except OSError:
            return  # a full disk: whoever is alive is heard next time

    def _read_beat(self) -> str:
        try:
            return (files.read_bytes(self._beat) or b"").decode(errors="replace")
        except files.UnreadableFile:
            return ""

    def _load(self) -> Sighting:
        try:
            data = json.loads(files.read_bytes(self._path) or b"{}")
            return Sighting(str(data["phase"]), float(data["since"]), str(data["beat"]), float(data["beat_at"]))
        except (files.UnreadableFile, ValueError, KeyError, TypeError):
            return Sighting()

    def _save(self, sighting: Sighting) -> None:
        try:
            write_atomic(self._path, json.dumps(asdict(sighting)).encode())
        except OSError:
            return


# The log of a negotiation that many processes share: read what is new, append a whole move at once.
#
# The lines are those of every log of ours (`stores.log_reading`): sealed, chained, with a head beside them. What
# differs from `JsonlLog` is who writes: any process, one after the other, each under the directory's lock and none for
# long.
#
# A kill tears at most the last write. A line without its newline was never acknowledged, so the next writer cuts it
# off; of a move of several facts a beginning may stay, which is a state like any other: the session finishes it.


PROTOCOL = "document"


class DirectoryLog:
    """Facts in `path`. `append` gathers; `flush` writes; until then the file knows nothing of them."""

    def __init__(self, path: Path, events: Mapping[str, type[Event]], now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now
        self._events = events
        self._entries: list[Entry] = []
        self._unwritten: list[Event] = []
        self._sound = LogVerifier(PROTOCOL)
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
        file_state = (info.st_ino, info.st_size, info.st_mtime_ns)
        if file_state == self._file:
            return
        if self._file is not None and (info.st_ino != self._file[0] or info.st_size < self._sound.size):
            self.forget()
        before = len(self._entries)
        with open(self.path, "rb") as source:
            source.seek(self._sound.size)
            for _, _, line in iter_whole_lines(source):
                self._read_line(line)
        head = read_head(self.path)
        if head is not None and head.seq > len(self._entries):
            lost = head.seq - len(self._entries)
            raise LogDamaged(f"{self.path} is {lost} facts shorter than it was. {_ADVICE}")
        self._file = file_state
        self.reading += len(self._entries) != before

    def forget(self) -> None:
        """Whatever was read: the file is another one now."""
        self._entries.clear()
        self._sound, self._file = LogVerifier(PROTOCOL), None
        self.reading += 1

    def _read_line(self, line: bytes) -> None:
        sealed_line = self._sound.check_line(line)
        if isinstance(sealed_line, Damage):
            raise LogDamaged(f"{self.path}: {sealed_line}. {_ADVICE}")
        if isinstance(sealed_line, SealedLine):
            self._entries.append(
                Entry(sealed_line.seq, decode_event(self.path, sealed_line, self._events), sealed_line.at)
            )
        # After its fact was read: `salvage` keeps what counts here, and a fact that cannot be read is not kept.
        self._sound.add(line, sealed_line)

    def flush(self) -> None:
        """Write what was gathered, in one piece, and wait for the disk. Raises OSError; then nothing was added."""
        if not self._unwritten:
            return
        timestamp = round(self.now(), 3)
        parts: list[bytes] = []
        header = self._sound.header or {"log": FORMAT, "protocol": PROTOCOL, "id": "", "at": timestamp}
        if self._sound.header is None:
            parts.append(seal_object(header))
        entries: list[Entry] = []
        hashed = self._sound.hash or compute_genesis_hash(PROTOCOL)
        for seq, event in enumerate(self._unwritten, len(self._entries) + 1):
            line, hashed = seal_line(seq, event.kind, event.to_dict(), timestamp, hashed)
            parts.append(line)
            entries.append(Entry(seq, event, timestamp))
        content = b"".join(parts)
        self._write(content)
        self._entries.extend(entries)
        self._unwritten.clear()
        self._sound.extend(content, header, len(self._entries), hashed)
        # After the log itself, and not waited for: it may fall behind the log, never run ahead of it.
        with suppress(OSError):
            head = {"seq": len(self._entries), "hash": hashed, "pid": os.getpid()}
            write_atomic(head_path(self.path), json.dumps(head).encode())

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
                write_atomic(aside, self.path.read_bytes(), durable=True)  # the evidence, before it is cut
                os.truncate(self.path, self._sound.size)
            head_path(self.path).unlink(missing_ok=True)
            self.forget()
            self.refresh()
            return aside


_ADVICE = "Somebody changed it. `graphbus negotiate recover DIR` keeps what is valid before that line and goes on."


HIDDEN = ".graphbus"


@dataclass
class Visit:
    """What one operation learned while it held the lock. Each makes a new one, so nothing of it can outlive the lock.

    judged   what turn.md said when its word was judged: another word there is a move made since. None: not yet judged
    owed     files to be written as the log has them, once everything is recorded
    behind   why the files lag behind the log: then nothing in them is anybody's move
    """

    judged: str | None = None
    owed: dict[str, None] = field(default_factory=dict)
    behind: str = ""


class Folder:
    """One directory, its log and its files. `now` is wall time for people; `monotonic` decides who is silent."""

    def __init__(self, root: str | os.PathLike[str], now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.root = Path(os.path.abspath(root))
        self.hidden = self.root / HIDDEN
        self._base = str(self.root)
        self.now = now
        self.log = DirectoryLog(self.hidden / "log.jsonl", events.EVENTS, now)
        self.shelf = FileCache(self.root)
        self.watch = SilenceWatch(self.hidden, monotonic)
        self.visit = Visit()
        self.warnings: list[str] = []  # for whoever called, beside the result
        self.mended: list[Reason] = []  # what was put back, by this process
        self._folded: tuple[int, Session[State, Outcome]] | None = None  # of which reading of the log, and the fold

    def fold(self) -> None:
        """Fold the log, if it is not what was folded before: others wrote, it was cut, or something was dropped."""
        self.log.refresh()
        if self._folded is None or self._folded[0] != self.log.reading:
            session: Session[State, Outcome] = Session(DocumentProtocol(), None, self.log)
            self._folded = self.log.reading, session

    @property
    def session(self) -> Session[State, Outcome]:
        """The folded log; only while the lock is held."""
        assert self._folded is not None
        return self._folded[1]

    @property
    def state(self) -> State:
        """The state; only while the lock is held."""
        return self.session.state

    def submit(self, who: str, move: Json) -> list[Event]:
        """A move, whose rules were asked before."""
        return self.session.submit(who, move)

    def read_text(self, name: str) -> str | None:
        """A file's text; None where there is none or it cannot be read."""
        try:
            return files.read_text(f"{self._base}/{name}")
        except files.UnreadableFile:
            return None

    def read_turn_word(self) -> str:
        """The word in turn.md, "" where there is none."""
        return (self.read_text("turn.md") or "").strip()

    def observe_silence(self) -> tuple[float, float]:
        """(seconds since this turn was first seen, or called back; seconds since a sign of life in it)."""
        state = self.state
        again = " again" if state.recalled == state.turn else ""
        return self.watch.observe(f"turn {state.turn} {state.holder}{again}", self.shelf.compute_signature())

    def warn(self, text: str) -> None:
        """Something to say beside the result, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def schedule_restore(self, name: str) -> None:
        """Have a file written as the log has it, once everything is recorded."""
        self.visit.owed[name] = None

    def set_aside(self, name: str, text: str | None = None) -> str:
        """Keep a copy of a file (or `text`) that is about to be put back. Returns where, "" where there is nothing."""
        try:
            data = files.read_bytes(self.root / name) if text is None else f"{text}\n".encode()
        except files.UnreadableFile:
            return ""  # a link, a folder: taken away, there is nothing in it to keep
        if data is None:
            return ""
        folder = self.hidden / "aside"
        folder.mkdir(exist_ok=True)
        number, end = f"{len(self.log) + 1:06d}", name.replace("/", "-")
        copy_path, again = folder / f"{number}-{end}", 0
        while copy_path.exists():
            again += 1
            copy_path = folder / f"{number}-{again}-{end}"
        write_atomic(copy_path, data)
        return str(copy_path.relative_to(self.root))

    def report_undone(self, name: str, line: int, what: str, text: str | None, copy_path: str = "") -> None:
        """Say that something was put back; `text` is what stood there, if it was not a file of its own."""
        if text is not None and not copy_path:
            copy_path = self.set_aside(name, text)
        self.mended.append(Reason(what, f"Kept in {copy_path}." if copy_path else "", name, line, "undone"))
        self.submit("", {"move": "undone", "file": name, "line": line, "what": what[:2000], "kept": copy_path})
