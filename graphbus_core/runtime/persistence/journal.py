"""The journal: every event and every direct call of a run, one JSON line each, written before anybody is told.

    {"journal": "graphbus", "version": 2, "payload_checks": "off"}
    {"event": {"event_id": …, "topic": …, "src": …, "payload": …, "timestamp": …, "cause": …}}
    {"call": {"msg_id": …, "src": …, "dst": …, "method": …, "payload": …, "context": …, "timestamp": …, "cause": …}}
    {"refused": {"id": …}}                  enforced payload checks refused the event or call of that id: nobody got it
    {"done": [["id"], ["id", "Node.method /T"]]}     all its handlers have the event of that id; or those that are named

`"hook": "on_start"` in an event or call: a node made it by itself when it started (or stopped). `payload_checks` is the
setting of the run that began the journal.

A line is handed to the operating system in one write before the publisher goes on, so it survives the death of this
process; with `durable` it is on the disk too. A line without its newline was torn by a crash and is not read; opening
the journal to append cuts it off.

One run writes a journal at a time (a lock beside it, FILE.lock). With `max_bytes` a file that grows beyond is renamed
to FILE.1 (the one before to FILE.2, `OLDER_FILES` of them), and the new one begins with what is not done. A file that
somebody
else renamed is left, and begun anew, in the same way.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from graphbus_core.errors import BadPayload, LogDamaged, RuntimeFault, UsageError
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.payloads import find_non_json
from graphbus_core.storage.atomic_files import (
    cut_torn,
    iter_whole_lines,
    measure_whole_size,
    open_lines,
    sync,
    write_all,
    write_atomic,
)
from graphbus_core.storage.locks import acquire_lock, write_holder

# Reads journals, line by line: what is kept in memory is the line at hand, and the ids that were refused.


VERSION = 2  # 1: without `done` lines
_TEXTS = {"event": ("event_id", "topic", "src"), "call": ("msg_id", "src", "dst", "method")}


@dataclass(frozen=True)
class JournalLine:
    """One line: `kind` is `event` or `call`, `data` as written. `refused`: enforced checks let nobody have it."""

    number: int
    kind: str
    data: dict[str, Any]
    refused: bool = False

    @property
    def id(self) -> str:
        """The event's or the message's id."""
        return str(self.data["event_id"] if self.kind == "event" else self.data["msg_id"])

    @property
    def cause(self) -> str | None:
        """The id of what caused it; None: it came from outside, or from a hook of a node."""
        return self.data.get("cause")

    @property
    def hook(self) -> str | None:
        """`on_start` or `on_stop` where a node made it by itself then."""
        return self.data.get("hook")


def check_header(path: Path, line: bytes) -> dict[str, Any]:
    """The first line of a journal. Raises UsageError where it is not one, or of a version to come."""
    try:
        header = json.loads(line)
        ok = header["journal"] == "graphbus" and isinstance(header["version"], int)
    except (ValueError, KeyError, TypeError, RecursionError):
        ok = False
    if not ok:
        raise UsageError(f"{path} is not a journal of GraphBus; give another file.")
    if header["version"] > VERSION:
        raise UsageError(f"{path} is a journal of version {header['version']}; this GraphBus reads up to {VERSION}.")
    return dict(header)


def read_payload_checks(path: str | Path) -> str:
    """The payload checks of the run that began this journal; `off` where it does not say."""
    with open_journal(path) as f:
        return str(check_header(Path(path), f.readline()).get("payload_checks", "off"))


def read_journal(path: str | Path) -> Iterator[JournalLine]:
    """The records of a journal, oldest first. Raises UsageError where there is none, LogDamaged with the line."""
    path = Path(path)
    with open_journal(path) as f:
        check_header(path, f.readline())
        body = f.tell()
        refused = _find_refused(f)
        f.seek(body)
        for number, _, line in iter_whole_lines(f, 2):  # of a torn one nobody was told that it was published
            try:
                (item,) = json.loads(line).items()
                kind, data = item
                if kind in ("refused", "done"):
                    continue
                _check_record(kind, data)
                record = JournalLine(number, kind, data)
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as e:
                raise LogDamaged(f"{path}, line {number}, is damaged: {e}. The lines before it are intact.") from None
            yield JournalLine(number, kind, data, refused=True) if record.id in refused else record


def open_journal(path: str | Path) -> BinaryIO:
    """A journal, to be read."""
    try:
        return open(path, "rb")
    except OSError as e:
        raise UsageError(f"The journal {path} cannot be read: {e.strerror}.") from None


def _find_refused(lines: BinaryIO) -> set[str]:
    """The ids that refusals name; they come after what they refuse."""
    refused_ids: set[str] = set()
    for _, _, line in iter_whole_lines(lines):
        if line.startswith(b'{"refused"'):
            with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
                refused_ids.add(str(json.loads(line)["refused"]["id"]))
    return refused_ids


def _check_record(kind: str, data: dict[str, Any]) -> None:
    """Raise ValueError that says what a record lacks."""
    if kind not in _TEXTS:
        raise ValueError(f"unknown kind {kind!r}")
    for name in _TEXTS[kind]:
        if not isinstance(data.get(name), str):
            raise ValueError(f"{kind} has no text '{name}'")
    if not isinstance(data.get("payload"), dict):
        raise ValueError(f"{kind} has no object 'payload'")
    if not isinstance(data.get("timestamp"), int | float):
        raise ValueError(f"{kind} has no number 'timestamp'")
    if not isinstance(data.get("cause"), str | None) or not isinstance(data.get("context"), dict | None):
        raise ValueError(f"{kind} has a 'cause' or a 'context' of another form")


_HOOK: ContextVar[str | None] = ContextVar("graphbus_hook", default=None)


@contextlib.contextmanager
def mark_hook(hook: str) -> Iterator[None]:
    """While a hook of a node runs: what it publishes and calls is journaled as its doing, not as come from outside."""
    token = _HOOK.set(hook)
    try:
        yield
    finally:
        _HOOK.reset(token)


OLDER_FILES = 3  # older files of a journal that grew too large
LOOK_S, LOOK_EVERY = 1.0, 16  # how often to look whether the file was renamed: seconds, lines
BLOCK = 1 << 16


class Journal:
    """A journal being written. May be used from any thread. Raises Locked where another run writes it."""

    def __init__(
        self, path: str | Path, *, durable: bool = False, payload_checks: str = "off", max_bytes: int | None = None
    ) -> None:
        self.path = Path(path)
        self.durable = durable
        self.max_bytes = max_bytes
        self.written = 0
        self.failed: str | None = None  # why the last write went wrong
        self.carry: Callable[[], str] = str  # what a new file says of the events that it takes over, as one line
        self._payload_checks = payload_checks
        self._lock = threading.Lock()
        self._carried: dict[str, int] = {}  # event id -> where its line begins, while it is not done
        self._fd = self._held = -1
        self._looked = time.monotonic()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._held = acquire_lock(self.path.with_name(f"{self.path.name}.lock"), self._render_busy)
            write_holder(self._held)
            self._finish_rotation()
            self._fd = open_lines(self.path)
            self._begin()
        except OSError as e:
            self.close()
            raise UsageError(f"The journal {self.path} cannot be written: {e.strerror}. Give another file.") from None
        except BaseException:
            self.close()
            raise

    def _render_busy(self, holder: str) -> str:
        return (
            f"The journal {self.path} is being written by another run{f' ({holder})' if holder else ''}. "
            f"Stop that run, or give this one a journal of its own."
        )

    def _begin(self) -> None:
        self._size = 0
        if measure_whole_size(self._fd):
            with self.path.open("rb") as lines:
                check_header(self.path, lines.readline())
        if not cut_torn(self._fd):
            self._write(self._render_header())
        self._size = os.fstat(self._fd).st_size

    def _render_header(self) -> str:
        return json.dumps({"journal": "graphbus", "version": VERSION, "payload_checks": self._payload_checks})

    def write_event(self, event: Event, *, before: str = "", carried: bool = False) -> None:
        """Keep an event, after the line `before`. Raises BadPayload where it is not JSON, and RuntimeFault where it
        cannot be written. With `carried` it is taken over into a new file, until `forget`.
        """
        payload = encode_payload(event.payload, "The payload published to '{}'", event.topic)
        stamp = event.timestamp if event.timestamp is not None else time.time()
        cause = _encode_text(event.cause) if event.cause is not None else "null"
        hook = _HOOK.get() if event.cause is None else None
        made_by = f'"hook":{_encode_text(hook)},' if hook is not None else ""
        event_id = event.event_id
        # written by hand: `json.dumps` of a small dict takes longer than all the rest of a publish
        line = (
            f'{{"event":{{"event_id":{_encode_text(event_id)},"topic":{_encode_text(event.topic)},"src":{_encode_source(event.src)},'
            f'"timestamp":{stamp!r},"cause":{cause},{made_by}"payload":{payload}}}}}'
        )
        self._write(line, before=before, carried=event_id if carried else None)

    @property
    def position(self) -> int:
        """How many bytes the file has."""
        return self._size

    def take_over(self, event_id: str, offset: int) -> None:
        """An event of an earlier run, at `offset`, is not done: keep it when a new file begins."""
        self._carried[event_id] = offset

    def forget(self, event_id: str) -> None:
        """An event is done: a new file need not hold it."""
        self._carried.pop(event_id, None)

    def write_call(self, message: Message, cause: str | None) -> None:
        """Keep a direct call."""
        payload = encode_payload(message.payload, "What {} is called with", f"{message.dst}.{message.method}")
        if message.context:
            encode_payload(message.context, "The context that {} is called in", f"{message.dst}.{message.method}")
        head = {
            "msg_id": message.msg_id,
            "src": message.src,
            "dst": message.dst,
            "method": message.method,
            "context": message.context,
            "timestamp": message.timestamp if message.timestamp is not None else time.time(),
            "cause": cause,
        }
        if cause is None and (hook := _HOOK.get()) is not None:
            head["hook"] = hook
        self._write(f'{{"call":{_render_call(head, payload)}}}')

    def write_refusal(self, message_id: str) -> None:
        """Keep that nobody got the event or call of that id, because enforced payload checks refused it."""
        self._write(f'{{"refused":{json.dumps({"id": message_id})}}}')

    def write_line(self, line: str) -> None:
        """Keep a line that is JSON already."""
        self._write(line)

    def _write(self, line: str, *, before: str = "", carried: str | None = None) -> None:
        data = line.encode("utf-8", "surrogatepass") + b"\n"
        head = before.encode("utf-8", "surrogatepass") + b"\n" if before else b""
        with self._lock:
            if self._fd < 0:
                raise RuntimeFault(f"The journal {self.path} is closed.")
            self._append(head + data)
            if carried is not None:
                self._carried[carried] = self._size - len(data)
            self.written += 1
            if self.max_bytes is not None and self._size > self.max_bytes:
                self._rotate()
            elif not self.written % LOOK_EVERY and time.monotonic() - self._looked >= LOOK_S:
                self._looked = time.monotonic()
                if not _is_same_file(self._fd, self.path):
                    self._begin_anew()

    def _append(self, data: bytes) -> None:
        try:
            write_all(self._fd, data)
            if self.durable:
                sync(self._fd)
        except OSError as e:
            with contextlib.suppress(OSError):  # half a line would spoil the next one
                os.ftruncate(self._fd, self._size)
            self.failed = f"The journal {self.path} cannot be written: {e.strerror}."
            raise RuntimeFault(self.failed) from None
        self.failed = None
        self._size += len(data)

    # A new file

    def _rotate(self) -> None:
        """Go on in a new file, where the old one holds more than what is not done."""
        content, places = self._collect_open()
        if len(content) * 2 > self._size:
            return
        try:
            fresh = self._prepare_file(content)
            for number in range(OLDER_FILES, 1, -1):
                with contextlib.suppress(FileNotFoundError):
                    os.replace(self._build_older_path(number - 1), self._build_older_path(number))
            os.replace(self.path, self._build_older_path(1))
            os.replace(fresh, self.path)
        except OSError as e:
            raise RuntimeFault(f"The journal {self.path} cannot be rotated: {e.strerror}.") from None
        self._switch_file(places)

    def _begin_anew(self) -> None:
        """Somebody renamed the file: leave it, and begin another in its place."""
        content, places = self._collect_open()
        try:
            os.replace(self._prepare_file(content), self.path)
        except OSError as e:
            raise RuntimeFault(f"The journal {self.path} cannot be begun anew: {e.strerror}.") from None
        self._switch_file(places)

    def _switch_file(self, places: dict[str, int]) -> None:
        fd = os.open(self.path, os.O_RDWR | os.O_APPEND)
        os.close(self._fd)
        self._fd, self._carried, self._size = fd, places, os.fstat(fd).st_size

    def _collect_open(self) -> tuple[bytes, dict[str, int]]:
        """Header, events that are not done, and who has them already; and where each event begins in that."""
        content = bytearray(self._render_header().encode() + b"\n")
        places: dict[str, int] = {}
        for event_id, offset in list(self._carried.items()):
            places[event_id] = len(content)
            content += _read_line_at(self._fd, offset)
        if carried_line := self.carry():
            content += carried_line.encode("utf-8", "surrogatepass") + b"\n"
        return bytes(content), places

    def _prepare_file(self, content: bytes) -> Path:
        fresh = self.path.with_name(f"{self.path.name}.new")
        write_atomic(fresh, content, durable=True)
        return fresh

    def _build_older_path(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")

    def _finish_rotation(self) -> None:
        """A crash between the two renames of a rotation: the new file is whole, and in no place yet."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        if fresh.exists() and not self.path.exists() and self._build_older_path(1).exists():
            os.replace(fresh, self.path)

    def close(self) -> None:
        """Close the file, and let another run have it. Further writes fail."""
        with self._lock:
            for fd in (self._fd, self._held):
                if fd >= 0:
                    os.close(fd)
            self._fd = self._held = -1


def _read_line_at(fd: int, offset: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        part = os.pread(fd, BLOCK, offset + len(line))
        if not part:
            break
        line += part[: part.find(b"\n") + 1] if b"\n" in part else part
    return line


def _is_same_file(fd: int, path: Path) -> bool:
    try:
        at_path, opened_file = os.stat(path), os.fstat(fd)
    except OSError:
        return False
    return (at_path.st_ino, at_path.st_dev) == (opened_file.st_ino, opened_file.st_dev)


def _render_call(head: dict[str, Any], payload: str) -> str:
    return f'{json.dumps(head, ensure_ascii=False, separators=(",", ":"), default=repr)[:-1]},"payload":{payload}}}'


_encode_text = json.encoder.encode_basestring


def _make_encoder() -> Callable[[Any], str]:
    """JSON in one line. The encoder that `json` makes anew for each text, made once: that is half of the time."""
    plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    encoder = make(None, plain.default, _encode_text, None, ":", ",", False, False, False)
    return lambda value: "".join(encoder(value, 0))


encode = _make_encoder()


def _encode_source(src: Any) -> str:
    return _encode_text(src) if isinstance(src, str) else _encode_text(repr(src))


def encode_payload(payload: Any, what: str, name: str) -> str:
    """The payload as one line of JSON. Raises BadPayload that says what cannot be written, or would come back other."""
    try:
        wrong = find_non_json(payload)
        if wrong is None:
            return encode(payload)
    except (TypeError, ValueError, RecursionError) as e:
        wrong = str(e)
    raise BadPayload(
        f"{what.format(name)} cannot be written to the journal: {wrong}. With a journal on, payloads must be JSON: "
        f"text, numbers, true, false, None, lists and dicts with text as keys."
    )
