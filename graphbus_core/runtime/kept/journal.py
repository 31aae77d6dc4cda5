"""The journal: every event and every direct call of a run, one JSON line each, written before anybody is told.

    {"journal": "graphbus", "version": 1, "payload_checks": "off"}
    {"event": {"event_id": …, "topic": …, "src": …, "payload": …, "timestamp": …, "cause": …}}
    {"call": {"msg_id": …, "src": …, "dst": …, "method": …, "payload": …, "context": …, "timestamp": …, "cause": …}}
    {"refused": {"id": …}}                  enforced payload checks refused the event or call of that id: nobody got it

`"hook": "on_start"` in an event or call: a node made it by itself when it started (or stopped). `payload_checks` is the
setting of the run that began the journal.

A line is handed to the operating system in one write before the publisher goes on, so it survives the death of this
process; with `durable` it is on the disk too. A line without its newline was torn by a crash and is not read; opening
the journal to append cuts it off.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from graphbus_core.errors import BadPayload, LogDamaged, RuntimeFault, UsageError
from graphbus_core.files.lines import append, cut_torn, open_lines, whole_size
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.handling.payloads import foreign

VERSION = 1
_HOOK: ContextVar[str | None] = ContextVar("graphbus_hook", default=None)
_TEXTS = {"event": ("event_id", "topic", "src"), "call": ("msg_id", "src", "dst", "method")}


@contextlib.contextmanager
def by_hook(hook: str) -> Iterator[None]:
    """While a hook of a node runs: what it publishes and calls is journaled as its doing, not as come from outside."""
    token = _HOOK.set(hook)
    try:
        yield
    finally:
        _HOOK.reset(token)


@dataclass(frozen=True)
class Record:
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


class Journal:
    """A journal being written. May be used from any thread."""

    def __init__(self, path: str | Path, *, durable: bool = False, payload_checks: str = "off") -> None:
        self.path = Path(path)
        self.durable = durable
        self._payload_checks = payload_checks
        self._lock = threading.Lock()
        self.written = 0
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = open_lines(self.path)
            try:
                self._begin()
            except BaseException:
                self.close()
                raise
        except OSError as e:
            raise UsageError(f"The journal {self.path} cannot be written: {e.strerror}. Give another file.") from None

    def _begin(self) -> None:
        if whole_size(self._fd):
            with self.path.open("rb") as lines:
                _check_header(self.path, lines.readline())
        if not cut_torn(self._fd):
            header = {"journal": "graphbus", "version": VERSION, "payload_checks": self._payload_checks}
            self._write(json.dumps(header))

    def write_event(self, event: Event) -> None:
        """Keep an event. Raises BadPayload where it is not JSON, and RuntimeFault where it cannot be written."""
        payload = json_ready(event.payload, f"The payload published to '{event.topic}'")
        head = {
            "event_id": event.event_id,
            "topic": event.topic,
            "src": event.src,
            "timestamp": event.timestamp if event.timestamp is not None else time.time(),
            "cause": event.cause,
        }
        if event.cause is None and (hook := _HOOK.get()) is not None:
            head["hook"] = hook
        self._write(f'{{"event":{_join(head, payload)}}}')

    def write_call(self, message: Message, cause: str | None) -> None:
        """Keep a direct call."""
        payload = json_ready(message.payload, f"What {message.dst}.{message.method} is called with")
        if message.context:
            json_ready(message.context, f"The context that {message.dst}.{message.method} is called in")
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
        self._write(f'{{"call":{_join(head, payload)}}}')

    def write_refusal(self, message_id: str) -> None:
        """Keep that nobody got the event or call of that id, because enforced payload checks refused it."""
        self._write(f'{{"refused":{json.dumps({"id": message_id})}}}')

    def _write(self, line: str) -> None:
        data = line.encode("utf-8", "surrogatepass") + b"\n"
        with self._lock:
            try:
                append(self._fd, data, durable=self.durable)
            except OSError as e:
                raise RuntimeFault(f"The journal {self.path} cannot be written: {e.strerror}.") from None
            self.written += 1

    def close(self) -> None:
        """Close the file. Further writes fail."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1


def _join(head: dict[str, Any], payload: str) -> str:
    return f'{json.dumps(head, ensure_ascii=False, separators=(",", ":"), default=repr)[:-1]},"payload":{payload}}}'


def _check_header(path: Path, line: bytes) -> dict[str, Any]:
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


def payload_checks_of(path: str | Path) -> str:
    """The payload checks of the run that began this journal; `off` where it does not say."""
    with _opened(path) as f:
        return str(_check_header(Path(path), f.readline()).get("payload_checks", "off"))


def read_journal(path: str | Path) -> Iterator[Record]:
    """The records of a journal, oldest first. Raises UsageError where there is none, LogDamaged with the line."""
    path = Path(path)
    with _opened(path) as f:
        _check_header(path, f.readline())
        body = f.tell()
        refused = _refused(f)
        f.seek(body)
        for number, line in enumerate(f, 2):
            if not line.endswith(b"\n"):
                return  # torn by a crash: nobody was told that it was published
            try:
                (item,) = json.loads(line.decode("utf-8", "surrogatepass")).items()
                kind, data = item
                if kind == "refused":
                    continue
                _check_record(kind, data)
                record = Record(number, kind, data)
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as e:
                raise LogDamaged(f"{path}, line {number}, is damaged: {e}. The lines before it are intact.") from None
            yield Record(number, kind, data, refused=True) if record.id in refused else record


def _opened(path: str | Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as e:
        raise UsageError(f"The journal {path} cannot be read: {e.strerror}.") from None


def _refused(lines: BinaryIO) -> set[str]:
    """The ids that refusals name; they come after what they refuse."""
    found: set[str] = set()
    for line in lines:
        if line.startswith(b'{"refused"') and line.endswith(b"\n"):
            with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
                found.add(str(json.loads(line)["refused"]["id"]))
    return found


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
        raise ValueError(f"{kind} has a 'cause' or a 'context' that is none")


def json_ready(payload: Any, what: str) -> str:
    """The payload as one line of JSON. Raises BadPayload that says what cannot be written, or would come back other."""
    try:
        wrong = foreign(payload)
        if wrong is None:
            return json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as e:
        wrong = str(e)
    raise BadPayload(
        f"{what} cannot be written to the journal: {wrong}. With a journal on, payloads must be JSON: "
        f"text, numbers, true, false, None, lists and dicts with text as keys."
    )
