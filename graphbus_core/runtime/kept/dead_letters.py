"""Dead letters: deliveries that failed for good, with their cause, kept until they are retried or purged.

The store is bounded; what falls out of it is counted. Where a file is given (`dead_letter_file`), letters are appended
to it, and it is cut to the bound when it holds twice as many, so that `graphbus run … dead-letters` sees them later.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path

from graphbus_core.model.message import Event
from graphbus_core.runtime.handling.payloads import error_text
from graphbus_core.runtime.kept.dead_letter_file import DeadLetter, LetterFile

__all__ = ["DeadLetter", "DeadLetters"]


class DeadLetters:
    """The letters, oldest first, at most `limit` of them. `unstored` counts those that the file did not take."""

    def __init__(self, limit: int = 1_000, file: str | Path | None = None) -> None:
        self.limit = limit
        self.file = Path(file) if file else None
        self.lost = 0  # fell out of the store
        self.added = 0  # by this process
        self.unstored = 0
        self._stored = LetterFile(self.file) if self.file else None
        self._letters: OrderedDict[str, DeadLetter] = OrderedDict(self._stored.read() if self._stored else {})
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
        text = clean(error_text(error))
        kind = type(error).__name__ if isinstance(error, BaseException) else reason
        with self._lock:
            event_id = event.event_id
            for letter in reversed(self._letters.values()):
                if letter.event["event_id"] == event_id and letter.subscriber == subscriber:
                    letter.count += count
                    self._tell(letter, text, kind)
                    return letter
                if letter.event["event_id"] != event_id:  # those of one event stand together, newest last
                    break
            letter = DeadLetter(
                "", event.topic, subscriber, reason, text, kind, event.to_dict(), count, now, now, delivered, redacted
            )
            try:
                self._store(letter)
            finally:
                letter.id = letter.id or f"dl-{'unstored-' if self._stored else ''}{next(self._numbers)}"
                self._letters[letter.id] = letter
                self.added += 1
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
            self._tell(letter, error_text(error), type(error).__name__)

    def remove(self, *letter_ids: str) -> int:
        """Take letters out and return how many there were."""
        with self._lock:
            gone = sum(1 for i in letter_ids if self._letters.pop(i, None) is not None)
            return self._stored.remove(set(letter_ids)) if self._stored is not None else gone

    def purge(self) -> int:
        """Throw all letters away and return how many there were; those of other runs that came since stay."""
        return self.remove(*list(self._letters))

    def _tell(self, letter: DeadLetter, text: str, kind: str) -> None:
        letter.error, letter.error_type, letter.last_at = text, kind, time.time()
        self._store(letter)

    def _store(self, letter: DeadLetter) -> None:
        if self._stored is None:
            return
        try:
            self._stored.append(letter)
            if self._stored.lines > 2 * self.limit:
                self._stored.keep(self.limit)
        except OSError:
            self.unstored += 1
            raise
