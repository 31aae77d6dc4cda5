"""Dead letters: deliveries that failed for good, with their cause, kept until they are retried or purged.

The store is bounded; what falls out of it is counted. Where a file is given (`dead_letter_file`), letters are appended
to it, and it is cut to the bound when it holds twice as many, so that `graphbus run … dead-letters` sees them later.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.model.message import Event
from graphbus_core.runtime.middleware import HIDDEN
from graphbus_core.runtime.payloads import convert_to_json, describe_error
from graphbus_core.storage.atomic_files import append, cut_torn, iter_whole_lines, open_lines, write_atomic
from graphbus_core.storage.locks import hold_lock

# The file of dead letters: one JSON line a letter, shared by every run of a build.
#
#     {"id": "dl-1", "topic": …, "subscriber": …, "event": {…}, …}
#
# Writers hold a lock (`flock` on the file's name with `.lock`), which also holds the last number given: so no two runs
# give one id, and nobody writes over what another kept. A later line of the same id and event stands for the earlier
# one.
# A last line without its end was torn by a crash or a full disk: it is not read, and the next writer cuts it off.


@dataclass
class DeadLetter:
    """One delivery that failed. `count` is how often it was tried; `reason` is `handler`, `payload`, `mapping`,
    `queue`, `call`, `middleware` or `stopped`. `delivered`: the event reached its handlers all the same (payload
    checks that warn).
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
        return convert_to_json(vars(self))  # type: ignore[no-any-return]


BLOCK = 1 << 16
UNSTORED = "dl-unstored-"  # how the id of a letter begins that its file did not take


class DeadLetterFile:
    """The file. Every method may raise OSError; reading raises LogDamaged, with the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = False  # a last line was half written, and left out
        self.lines = 0
        self._counted = (0, 0)  # the file and its size, up to where its lines were counted

    def read_all(self) -> dict[str, DeadLetter]:
        """The letters by id, oldest first."""
        letters: dict[str, DeadLetter] = {}
        doubled: list[DeadLetter] = []  # runs of earlier versions gave one id twice
        number = end = 0
        try:
            with self.path.open("rb") as lines:
                for number, start, line in iter_whole_lines(lines):
                    end = start + len(line)
                    letter = self._parse_letter(number, line)
                    earlier = letters.get(letter.id)
                    if earlier is not None and earlier.event["event_id"] != letter.event["event_id"]:
                        doubled.append(letter)
                    else:
                        letters[letter.id] = letter
                self.torn = lines.tell() > end
        except FileNotFoundError:
            return {}
        self.lines = number
        for letter in doubled:
            letter.id = f"dl-{_find_last_number(letters) + 1}"
            letters[letter.id] = letter
        return letters

    def _parse_letter(self, number: int, line: bytes) -> DeadLetter:
        try:
            data = json.loads(line)
            letter = DeadLetter(**data)
            letter.event["event_id"]
            if "redacted" not in data:  # written by an earlier version
                letter.redacted = has_hidden_fields(letter.event.get("payload"))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
            raise LogDamaged(
                f"{self.path} is not a file of dead letters: line {number}: {e}. Move it away and run again."
            ) from None
        return letter

    def append(self, letter: DeadLetter) -> None:
        """Add a letter, or the new form of one. One without an id is given the next."""
        with self._hold_lock() as lock:
            if not letter.id:
                letter.id = f"dl-{self._assign_number(lock)}"
            self._write(letter)

    def trim(self, limit: int) -> None:
        """Keep the newest `limit` letters."""
        with self._hold_lock():
            self._replace(list(self.read_all().values())[-limit:])

    def remove(self, ids: Collection[str]) -> int:
        """Take letters out, as the file stands now, and return how many there were."""
        with self._hold_lock():
            letters = self.read_all()
            remaining = [letter for letter in letters.values() if letter.id not in ids]
            if len(remaining) < len(letters):
                self._replace(remaining)
            return len(letters) - len(remaining)

    @contextmanager
    def _hold_lock(self) -> Iterator[int]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(self.path.with_name(f"{self.path.name}.lock"), str, wait_s=None) as fd:
            yield fd

    def _assign_number(self, lock: int) -> int:
        content = os.pread(lock, 32, 0).split()
        if content and content[0].isdigit():
            last = int(content[0])
        else:  # the first run, or the first since a version that gave one id twice: those are told apart for good
            letters = self.read_all()
            last = _find_last_number(letters)
            if letters:
                self._replace(list(letters.values()))
        os.pwrite(lock, b"%d\n" % (last + 1), 0)
        return last + 1

    def _write(self, letter: DeadLetter) -> None:
        data = (json.dumps(letter.to_dict()) + "\n").encode()
        fd = open_lines(self.path)
        try:
            size = cut_torn(fd)
            file = self._count_lines(fd, size)
            append(fd, data)
        finally:
            os.close(fd)
        self.lines += 1
        self._counted = file, size + len(data)

    def _count_lines(self, fd: int, size: int) -> int:
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
        write_atomic(self.path, "".join(json.dumps(letter.to_dict()) + "\n" for letter in letters).encode())
        self.lines = len(letters)


def _find_last_number(letters: Collection[str]) -> int:
    return max((int(i.rpartition("-")[2]) for i in letters if i.rpartition("-")[2].isdecimal()), default=0)


def has_hidden_fields(value: Any) -> bool:
    """Whether fields were hidden before this was kept: then it is not what handlers are to get."""
    if isinstance(value, dict):
        return any(has_hidden_fields(v) for v in value.values())
    if isinstance(value, list):
        return any(has_hidden_fields(v) for v in value)
    return bool(value == HIDDEN)


class DeadLetters:
    """The letters, oldest first, at most `limit` of them. `unstored` counts those that the file did not take."""

    def __init__(self, limit: int = 1_000, file: str | Path | None = None) -> None:
        self.limit = limit
        self.file = Path(file) if file else None
        self.lost = 0  # fell out of the store
        self.added = 0  # by this process
        self.unstored = 0
        self.listeners: list[Callable[[DeadLetter], None]] = []  # are told of each new one
        self._stored = DeadLetterFile(self.file) if self.file else None
        self._letters: OrderedDict[str, DeadLetter] = OrderedDict(self._stored.read_all() if self._stored else {})
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    @property
    def torn(self) -> bool:
        """Whether the file ended in half a line, which was left out."""
        return self._stored is not None and self._stored.torn

    def __len__(self) -> int:
        return len(self._letters)

    def __iter__(self) -> Iterator[DeadLetter]:
        with self._lock:
            return iter(list(self._letters.values()))

    def add(
        self,
        event: Event,
        subscriber: str,
        error: BaseException | str,
        *,
        reason: str = "handler",
        count: int = 1,
        delivered: bool = False,
        redacted: bool = False,
        clean: Callable[[str], str] = str,
    ) -> DeadLetter:
        """Keep a delivery that failed. The same event failing at the same subscriber again only counts up.

        `redacted`: fields of the event are hidden already; `clean` hides them in the error's text. Raises OSError
        where the file cannot be written; the letter is in the store all the same.
        """
        now = time.time()
        text = clean(describe_error(error))
        kind = type(error).__name__ if isinstance(error, BaseException) else reason
        with self._lock:
            event_id = event.event_id
            for letter in reversed(self._letters.values()):
                if letter.event["event_id"] == event_id and letter.subscriber == subscriber:
                    letter.count += count
                    self._update(letter, text, kind)
                    return letter
                if letter.event["event_id"] != event_id:  # those of one event stand together, newest last
                    break
            letter = DeadLetter(
                "", event.topic, subscriber, reason, text, kind, event.to_dict(), count, now, now, delivered, redacted
            )
            try:
                self._insert(letter)
            finally:
                self.added += 1
                for listener in self.listeners:
                    listener(letter)
            return letter

    def list_unstored(self) -> list[DeadLetter]:
        """Those that the file did not take: with this store they would be gone."""
        with self._lock:
            return [letter for letter in self._letters.values() if letter.id.startswith(UNSTORED)]

    def adopt(self, letters: Iterable[DeadLetter]) -> None:
        """Go on with letters of a store before this one; their ids are new."""
        with self._lock:
            for letter in letters:
                letter.id = ""
                with suppress(OSError):  # counted as unstored, and in this store all the same
                    self._insert(letter)

    def get(self, letter_id: str) -> DeadLetter | None:
        """The letter of that id, or None."""
        return self._letters.get(letter_id)

    def record_retry_failure(self, letter: DeadLetter, error: BaseException, changed: Collection[str] = ()) -> None:
        """A retry of it failed. `changed`: fields that had other values then; they are told by name alone, and of a
        letter with hidden fields nothing of the error's text, which may hold them."""
        text = describe_error(error)
        if changed:
            text = f"{'not kept' if letter.redacted else text} (with other values of {', '.join(changed)})"
        with self._lock:
            letter.count += 1
            self._update(letter, text, type(error).__name__)

    def remove(self, *letter_ids: str) -> int:
        """Take letters out and return how many there were."""
        with self._lock:
            gone = sum(1 for i in letter_ids if self._letters.pop(i, None) is not None)
            return self._stored.remove(set(letter_ids)) if self._stored is not None else gone

    def purge(self) -> int:
        """Throw all letters away and return how many there were; those of other runs that came since stay."""
        return self.remove(*list(self._letters))

    def _insert(self, letter: DeadLetter) -> None:
        """Put in a letter without an id; the oldest go beyond the bound. Raises OSError where the file takes none."""
        try:
            self._store(letter)
        finally:
            letter.id = letter.id or f"{UNSTORED if self._stored else 'dl-'}{next(self._numbers)}"
            self._letters[letter.id] = letter
            while len(self._letters) > self.limit:
                self._letters.popitem(last=False)
                self.lost += 1

    def _update(self, letter: DeadLetter, text: str, kind: str) -> None:
        letter.error, letter.error_type, letter.last_at = text, kind, time.time()
        self._store(letter)

    def _store(self, letter: DeadLetter) -> None:
        if self._stored is None:
            return
        try:
            self._stored.append(letter)
            if self._stored.lines > 2 * self.limit:
                self._stored.trim(self.limit)
        except OSError:
            self.unstored += 1
            raise
