"""One numbered stream of everything that happens, for any number of listeners who may be slow, gone or late.

Messages are kept once, in a ring; a listener is only a cursor into it. So a listener that stalls costs nothing and
slows nobody: when its cursor has fallen out of the ring it gets one `gap` message, which says what it missed and
where to read on. A listener that comes back names the last number that it saw (`?after=`).
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

KEPT = 100_000  # messages kept for those who come back
BATCH = 256  # messages handed over at once


class Stream:
    """Numbered messages, the last `kept` of them; safe to publish to from any thread."""

    def __init__(self, kept: int = KEPT, clock: Callable[[], float] = time.time) -> None:
        self.kept = kept
        self.last = 0  # the number of the newest message
        self._clock = clock
        self._ring: list[str] = [""] * kept
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._joined = lru_cache(maxsize=64)(self._join)

    @property
    def first(self) -> int:
        """The number of the oldest message that is still kept."""
        return max(1, self.last - self.kept + 1)

    def publish(self, kind: str, data: Mapping[str, Any]) -> int:
        """Add a message and return its number. Data that is not JSON is shown as text, never an error."""
        body = json.dumps(data, default=str, separators=(",", ":"))
        with self._lock:
            seq = self.last + 1
            at = round(self._clock(), 3)
            self._ring[seq % self.kept] = f'{{"seq":{seq},"kind":{json.dumps(kind)},"at":{at},"data":{body}}}'
            self.last = seq
            waiting = list(self._waiting)
            self._waiting.clear()
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)
        return seq

    def read(self, after: int, limit: int = BATCH) -> tuple[list[str], int]:
        """Messages after number `after`, as JSON texts, and the number of the last of them.

        If some of them are no longer kept, the first is a `gap` message.
        """
        with self._lock:
            last, first = self.last, self.first
            after = max(0, min(after, last))
            out: list[str] = []
            if after + 1 < first:
                out.append(gap(after + 1, first - 1))
                after = first - 1
            end = min(last, after + limit)
            out.extend(self._ring[seq % self.kept] for seq in range(after + 1, end + 1))
        return out, end

    def batch(self, after: int) -> tuple[str, int]:
        """As `read`, as one JSON array. Listeners at the same place share the text."""
        end = min(self.last, (after // BATCH + 1) * BATCH)  # aligned, so that they meet
        if after + 1 < self.first or end - after != BATCH:
            texts, end = self.read(after, max(0, end - after))
            return f"[{','.join(texts)}]", end
        return self._joined(after, end), end

    async def news(self, after: int) -> None:
        """Return as soon as there is a message after number `after`."""
        event = asyncio.Event()
        key = (asyncio.get_running_loop(), event)
        with self._lock:
            if self.last > after:
                return
            self._waiting.add(key)
        try:
            await event.wait()
        finally:
            with self._lock:
                self._waiting.discard(key)

    def _join(self, after: int, end: int) -> str:
        return f"[{','.join(self.read(after, end - after)[0])}]"


def gap(start: int, end: int) -> str:
    """The message that stands for what a listener missed."""
    data = {
        "from": start,
        "to": end,
        "missed": end - start + 1,
        "read_on": "/negotiations for facts of negotiations, /runtime/history for events of the bus",
    }
    return json.dumps({"seq": end, "kind": "gap", "at": None, "data": data}, separators=(",", ":"))
