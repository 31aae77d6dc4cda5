"""How long handlers take: a histogram for each handler and topic, in this process, with no library."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.message import Event, Message

# Seconds. The buckets that the semantic conventions of OpenTelemetry recommend for messaging.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
_NOTHING: AbstractContextManager[Any] = nullcontext()


@dataclass
class Histogram:
    """Counts by bucket, the last of them above all bounds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total_s: float = 0.0
    failed: int = 0

    def note(self, taken_s: float, failed: bool) -> None:
        """One attempt."""
        self.counts[bisect_left(BOUNDS, taken_s)] += 1
        self.total_s += taken_s
        self.failed += failed


class Durations:
    """The observer."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Histogram] = {}
        self._lock = threading.Lock()

    def all(self) -> dict[tuple[str, str], Histogram]:
        """(handler, topic as it was subscribed to) -> its histogram."""
        with self._lock:
            return {key: Histogram(list(one.counts), one.total_s, one.failed) for key, one in self._of.items()}

    def _note(self, key: tuple[str, str], began: float, failed: bool) -> None:
        taken_s = time.perf_counter() - began
        with self._lock:
            self._of.setdefault(key, Histogram()).note(taken_s, failed)

    def handling(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call`, timed."""
        key = handler, topic

        def handled(event: Event) -> Any:
            began, failed = time.perf_counter(), True
            try:
                given = call(event)
                failed = False
                return given
            finally:
                self._note(key, began, failed)

        async def ahandled(event: Event) -> Any:
            began, failed = time.perf_counter(), True
            try:
                given = await call(event)
                failed = False
                return given
            finally:
                self._note(key, began, failed)

        return ahandled if asynchronous else handled

    def published(self, event: Event) -> None:
        """The bus counts that itself."""

    def calling(self, message: Message, place: str) -> AbstractContextManager[Any]:
        """Calls are counted by who makes them."""
        return _NOTHING

    def headers(self, message_id: str) -> Mapping[str, str]:
        """Nothing travels."""
        return {}

    def arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Nothing came."""
