"""Reads journals, line by line: what is kept in memory is the line at hand, and the ids that were refused."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.files.lines import whole_lines

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


def payload_checks_of(path: str | Path) -> str:
    """The payload checks of the run that began this journal; `off` where it does not say."""
    with opened(path) as f:
        return str(check_header(Path(path), f.readline()).get("payload_checks", "off"))


def read_journal(path: str | Path) -> Iterator[JournalLine]:
    """The records of a journal, oldest first. Raises UsageError where there is none, LogDamaged with the line."""
    path = Path(path)
    with opened(path) as f:
        check_header(path, f.readline())
        body = f.tell()
        refused = _refused(f)
        f.seek(body)
        for number, _, line in whole_lines(f, 2):  # of a torn one nobody was told that it was published
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


def opened(path: str | Path) -> BinaryIO:
    """A journal, to be read."""
    try:
        return open(path, "rb")
    except OSError as e:
        raise UsageError(f"The journal {path} cannot be read: {e.strerror}.") from None


def _refused(lines: BinaryIO) -> set[str]:
    """The ids that refusals name; they come after what they refuse."""
    found: set[str] = set()
    for _, _, line in whole_lines(lines):
        if line.startswith(b'{"refused"'):
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
        raise ValueError(f"{kind} has a 'cause' or a 'context' of another form")
