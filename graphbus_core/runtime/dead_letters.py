"""Dead letters: deliveries that failed for good, with their cause, kept until they are retried or purged.

The store is bounded; what falls out of it is counted. Where a file is given, letters are appended to it, and it is
rewritten when it holds twice the bound, so that `graphbus run … dead-letters` sees them later.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.model.message import Event


@dataclass
class DeadLetter:
    """One delivery that failed. `count` is how often it was tried; `reason` is `handler`, `payload`, `queue`, `call`,
    `middleware` or `stopped`. `delivered`: the event reached its handlers all the same (payload checks that warn).
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; a payload that cannot be JSON is shown as text."""
        return json.loads(json.dumps(asdict(self), default=repr))  # type: ignore[no-any-return]


class DeadLetters:
    """The letters, oldest first, at most `limit` of them."""

    def __init__(self, limit: int = 1_000, file: str | Path | None = None) -> None:
        self.limit = limit
        self.file = Path(file) if file else None
        self.lost = 0  # fell out of the store
        self._letters: OrderedDict[str, DeadLetter] = OrderedDict()
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._lines = 0
        self._read()

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
    ) -> DeadLetter:
        """Keep a delivery that failed. The same event failing at the same subscriber again only counts up."""
        now = time.time()
        text = str(error) or type(error).__name__
        kind = type(error).__name__ if isinstance(error, BaseException) else reason
        with self._lock:
            event_id = event.event_id
            for letter in reversed(self._letters.values()):
                if letter.event["event_id"] == event_id and letter.subscriber == subscriber:
                    letter.count += count
                    letter.error, letter.error_type, letter.last_at = text, kind, now
                    self._rewrite()
                    return letter
                if letter.event["event_id"] != event_id:  # those of one event stand together, newest last
                    break
            letter = self._new(event, subscriber, reason, text, kind, count, now, delivered)
            self._append(letter)
            return letter

    def _new(
        self, event: Event, subscriber: str, reason: str, text: str, kind: str, count: int, now: float, delivered: bool
    ) -> DeadLetter:
        letter = DeadLetter(
            f"dl-{next(self._numbers)}",
            event.topic,
            subscriber,
            reason,
            text,
            kind,
            event.to_dict(),
            count,
            now,
            now,
            delivered,
        )
        self._letters[letter.id] = letter
        while len(self._letters) > self.limit:
            self._letters.popitem(last=False)
            self.lost += 1
        return letter

    def get(self, letter_id: str) -> DeadLetter | None:
        """The letter of that id, or None."""
        return self._letters.get(letter_id)

    def failed_again(self, letter: DeadLetter, error: BaseException) -> None:
        """A retry of it failed."""
        with self._lock:
            letter.count += 1
            letter.error, letter.error_type, letter.last_at = str(error), type(error).__name__, time.time()
            self._rewrite()

    def remove(self, *letter_ids: str) -> int:
        """Take letters out and return how many there were."""
        with self._lock:
            gone = sum(1 for i in letter_ids if self._letters.pop(i, None) is not None)
            self._rewrite()
            return gone

    def purge(self) -> int:
        """Throw all letters away and return how many there were."""
        return self.remove(*list(self._letters))

    def _read(self) -> None:
        if self.file is None or not self.file.exists():
            return
        try:
            for line in self.file.read_text("utf-8").splitlines():
                letter = DeadLetter(**json.loads(line))
                self._letters[letter.id] = letter
        except (ValueError, TypeError) as e:
            raise LogDamaged(f"{self.file} is not a file of dead letters: {e}. Move it away and run again.") from None
        self._lines = len(self._letters)
        numbers = [int(i.rpartition("-")[2]) for i in self._letters if i.rpartition("-")[2].isdigit()]
        self._numbers = itertools.count(max(numbers, default=0) + 1)

    def _append(self, letter: DeadLetter) -> None:
        if self.file is None:
            return
        self._lines += 1
        if self._lines > 2 * self.limit:
            self._rewrite()
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with open(self.file, "a", encoding="utf-8") as f:
            f.write(json.dumps(letter.to_dict()) + "\n")

    def _rewrite(self) -> None:
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.file.with_name(f"{self.file.name}.{os.getpid()}.tmp")
        temporary.write_text("".join(json.dumps(one.to_dict()) + "\n" for one in self._letters.values()), "utf-8")
        os.replace(temporary, self.file)
        self._lines = len(self._letters)
