"""The file of dead letters: one JSON line a letter, shared by every run of a build.

    {"id": "dl-1", "topic": …, "subscriber": …, "event": {…}, …}

Writers hold a lock (`flock` on the file's name with `.lock`), which also holds the last number given: so no two runs
give one id, and nobody writes over what another kept. A later line of the same id and event stands for the earlier one.
A last line without its end was torn by a crash or a full disk: it is not read, and the next writer cuts it off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.files.lines import append, cut_torn, open_lines, whole_lines
from graphbus_core.files.lock import locked
from graphbus_core.files.whole import put_whole
from graphbus_core.runtime.handling.middleware import HIDDEN
from graphbus_core.runtime.handling.payloads import plain


@dataclass
class DeadLetter:
    """One delivery that failed. `count` is how often it was tried; `reason` is `handler`, `payload`, `queue`, `call`,
    `middleware` or `stopped`. `delivered`: the event reached its handlers all the same (payload checks that warn).
    `redacted`: fields of the event were hidden before it was kept, so it cannot be delivered again.
    """

    id: str
    topic: str
    subscriber: str
    reason: str
    error: str
    error_type: str
    event: dict[str, Any]
    count: int = 1
    first_at: float = 0.0
    last_at: float = 0.0
    delivered: bool = False
    redacted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; a payload that cannot be JSON is shown as text."""
        return plain(vars(self))  # type: ignore[no-any-return]


BLOCK = 1 << 16


class LetterFile:
    """The file. Every method may raise OSError; reading raises LogDamaged, with the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = False  # a last line was half written, and left out
        self.lines = 0
        self._counted = (0, 0)  # the file and its size, up to where its lines were counted

    def read(self) -> dict[str, DeadLetter]:
        """The letters by id, oldest first."""
        letters: dict[str, DeadLetter] = {}
        doubled: list[DeadLetter] = []  # runs of earlier versions gave one id twice
        number = end = 0
        try:
            with self.path.open("rb") as lines:
                for number, start, line in whole_lines(lines):
                    end = start + len(line)
                    letter = self._letter(number, line)
                    known = letters.get(letter.id)
                    if known is not None and known.event["event_id"] != letter.event["event_id"]:
                        doubled.append(letter)
                    else:
                        letters[letter.id] = letter
                self.torn = lines.tell() > end
        except FileNotFoundError:
            return {}
        self.lines = number
        for letter in doubled:
            letter.id = f"dl-{_last_number(letters) + 1}"
            letters[letter.id] = letter
        return letters

    def _letter(self, number: int, line: bytes) -> DeadLetter:
        try:
            data = json.loads(line)
            letter = DeadLetter(**data)
            letter.event["event_id"]
            if "redacted" not in data:  # written by an earlier version
                letter.redacted = holds_hidden(letter.event.get("payload"))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
            raise LogDamaged(
                f"{self.path} is not a file of dead letters: line {number}: {e}. Move it away and run again."
            ) from None
        return letter

    def append(self, letter: DeadLetter) -> None:
        """Add a letter, or the new form of one. One without an id is given the next."""
        with self._locked() as lock:
            if not letter.id:
                letter.id = f"dl-{self._next_number(lock)}"
            self._write(letter)

    def keep(self, limit: int) -> None:
        """Keep the newest `limit` letters."""
        with self._locked():
            self._replace(list(self.read().values())[-limit:])

    def remove(self, ids: Collection[str]) -> int:
        """Take letters out, as the file stands now, and return how many there were."""
        with self._locked():
            letters = self.read()
            kept = [one for one in letters.values() if one.id not in ids]
            if len(kept) < len(letters):
                self._replace(kept)
            return len(letters) - len(kept)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.path.with_name(f"{self.path.name}.lock"), str, wait_s=None) as fd:
            yield fd

    def _next_number(self, lock: int) -> int:
        given = os.pread(lock, 32, 0).split()
        if given and given[0].isdigit():
            last = int(given[0])
        else:  # the first run, or the first since a version that gave one id twice: those are told apart for good
            letters = self.read()
            last = _last_number(letters)
            if letters:
                self._replace(list(letters.values()))
        os.pwrite(lock, b"%d\n" % (last + 1), 0)
        return last + 1

    def _write(self, letter: DeadLetter) -> None:
        data = (json.dumps(letter.to_dict()) + "\n").encode()
        fd = open_lines(self.path)
        try:
            size = cut_torn(fd)
            file = self._count(fd, size)
            append(fd, data)
        finally:
            os.close(fd)
        self.lines += 1
        self._counted = file, size + len(data)

    def _count(self, fd: int, size: int) -> int:
        """What other processes wrote since counts too: else each keeps to the bound, and the file does not."""
        file, counted = self._counted
        if os.fstat(fd).st_ino != file or counted > size:  # the first time, or somebody wrote it anew
            file, counted, self.lines = os.fstat(fd).st_ino, 0, 0
        while counted < size:
            block = os.pread(fd, min(size - counted, BLOCK), counted)
            if not block:
                break
            self.lines += block.count(b"\n")
            counted += len(block)
        return file

    def _replace(self, letters: Collection[DeadLetter]) -> None:
        put_whole(self.path, "".join(json.dumps(one.to_dict()) + "\n" for one in letters).encode())
        self.lines = len(letters)


def _last_number(letters: Collection[str]) -> int:
    return max((int(i.rpartition("-")[2]) for i in letters if i.rpartition("-")[2].isdecimal()), default=0)


def holds_hidden(value: Any) -> bool:
    """Whether fields were hidden before this was kept: then it is not what handlers are to get."""
    if isinstance(value, dict):
        return any(holds_hidden(v) for v in value.values())
    if isinstance(value, list):
        return any(holds_hidden(v) for v in value)
    return bool(value == HIDDEN)
