"""The journal: every event and every direct call of a run, one JSON line each, written before anybody is told.

    {"journal": "graphbus", "version": 1}
    {"event": {"event_id": …, "topic": …, "src": …, "payload": …, "timestamp": …, "cause": …}}
    {"call": {"msg_id": …, "src": …, "dst": …, "method": …, "payload": …, "context": …, "timestamp": …, "cause": …}}

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import BadPayload, LogDamaged, RuntimeFault, UsageError
from graphbus_core.model.message import Event, Message

VERSION = 1


@dataclass(frozen=True)
class Record:
    """One line: `kind` is `event` or `call`, `data` as written."""

    number: int
    kind: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        """The event's or the message's id."""
        return str(self.data["event_id"] if self.kind == "event" else self.data["msg_id"])

    @property
    def cause(self) -> str | None:
        """The id of what caused it; None: it came from outside."""
        return self.data.get("cause")


class Journal:
    """A journal being written. May be used from any thread."""

    def __init__(self, path: str | Path, *, durable: bool = False) -> None:
        self.path = Path(path)
        self.durable = durable
        self._lock = threading.Lock()
        self.written = 0
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._begin()
        except OSError as e:
            raise UsageError(f"The journal {self.path} cannot be written: {e.strerror}. Give another file.") from None

    def _begin(self) -> None:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole:
            _check_header(self.path, whole.partition(b"\n")[0])
        if len(whole) < len(content):
            os.ftruncate(self._fd, len(whole))
        if not whole:
            self._write(json.dumps({"journal": "graphbus", "version": VERSION}))

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
        self._write(f'{{"event":{_join(head, payload)}}}')

    def write_call(self, message: Message, cause: str | None) -> None:
        """Keep a direct call."""
        payload = json_ready(message.payload, f"What {message.dst}.{message.method} is called with")
        head = {
            "msg_id": message.msg_id,
            "src": message.src,
            "dst": message.dst,
            "method": message.method,
            "context": message.context,
            "timestamp": message.timestamp if message.timestamp is not None else time.time(),
            "cause": cause,
        }
        self._write(f'{{"call":{_join(head, payload)}}}')

    def _write(self, line: str) -> None:
        data = line.encode("utf-8", "surrogatepass") + b"\n"
        with self._lock:
            done = 0
            try:
                while done < len(data):  # once, unless a disk is full: then the next write says so
                    done += os.write(self._fd, data[done:])
                if self.durable:
                    os.fdatasync(self._fd)
            except OSError as e:
                with contextlib.suppress(OSError):  # half a line would spoil the next one
                    os.ftruncate(self._fd, os.fstat(self._fd).st_size - done)
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


def _check_header(path: Path, line: bytes) -> None:
    try:
        header = json.loads(line)
        ok = header["journal"] == "graphbus"
    except (ValueError, KeyError, TypeError):
        ok = False
    if not ok:
        raise UsageError(f"{path} is not a journal of GraphBus; give another file.")
    if header["version"] > VERSION:
        raise UsageError(f"{path} is a journal of version {header['version']}; this GraphBus reads up to {VERSION}.")


def read_journal(path: str | Path) -> Iterator[Record]:
    """The records of a journal, oldest first. Raises UsageError where there is none, LogDamaged with the line."""
    path = Path(path)
    try:
        f = open(path, "rb")  # noqa: SIM115  # closed below; the generator holds it open
    except OSError as e:
        raise UsageError(f"The journal {path} cannot be read: {e.strerror}.") from None
    with f:
        first = f.readline()
        _check_header(path, first)
        for number, line in enumerate(f, 2):
            if not line.endswith(b"\n"):
                return  # torn by a crash: nobody was told that it was published
            try:
                (item,) = json.loads(line.decode("utf-8", "surrogatepass")).items()
                kind, data = item
                record = Record(number, kind, data)
                if kind not in ("event", "call"):
                    raise ValueError(f"unknown kind {kind!r}")
                record.id  # noqa: B018  # there must be one
            except (ValueError, TypeError, AttributeError, KeyError) as e:
                raise LogDamaged(f"{path}, line {number}, is damaged: {e}. The lines before it are intact.") from None
            yield record


def json_ready(payload: Any, what: str) -> str:
    """The payload as one line of JSON. Raises BadPayload that says what cannot be written."""
    try:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as e:
        raise BadPayload(
            f"{what} cannot be written to the journal: {e}. With a journal on, payloads must be JSON: "
            f"text, numbers, true, false, None, lists and dicts."
        ) from None
