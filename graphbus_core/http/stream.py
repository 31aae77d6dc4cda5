"""One numbered stream of everything that happens, for any number of listeners who may be slow, gone or late.

Messages are kept once, in a ring bounded by number and by bytes; a listener is only a cursor into it. So a listener
that stalls costs nothing and slows nobody: when its cursor has fallen out of the ring it gets one `gap` message, which
says what it missed and where to read on. A listener that comes back names the stream and the last number that it saw
(`?after=STREAM:N`): a server that was started anew has another stream, and says so with a `gap`.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sys
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from graphbus_core.http.security import SUBPROTOCOL
from graphbus_core.services.json_values import dump_json

# With both bounds: small messages are bounded by number, large ones by memory.
MAX_MESSAGES = 100_000  # messages kept for those who come back
MAX_KEPT_BYTES = 64_000_000  # of memory, for all of them
MESSAGE_BYTES = 1_000_000  # what is larger is told without its large parts
BATCH = 256  # messages handed over at once
BATCH_BYTES = 1_000_000  # handed over at once, where one message is not larger
READ_ON = "/negotiations for facts of negotiations, /runtime/history for events of the bus"
AFTER = re.compile(r"(?:([0-9a-f]{1,32}):)?([0-9]{1,16})", re.ASCII)


class Stream:
    """Numbered messages, the last `kept` of them; safe to publish to from any thread. `id` is new for each stream."""

    def __init__(
        self, capacity: int = MAX_MESSAGES, clock: Callable[[], float] = time.time, kept_bytes: int = MAX_KEPT_BYTES
    ) -> None:
        self.id = secrets.token_hex(6)
        self.kept = capacity
        self.kept_bytes = kept_bytes
        self.last = 0  # the number of the newest message
        self.first = 1  # the number of the oldest message that is still kept
        self._clock = clock
        # A ring and not a deque: a reader finds any message by its number without walking there.
        self._ring: list[str] = [""] * capacity
        # Sums up to each message, so that "how much fits into a batch" is a search and not a loop.
        self._bytes: list[int] = [0] * capacity  # of all messages up to this one
        self._total = 0  # of all messages ever
        self._dropped = 0  # of all messages that are no longer kept
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        # Sixteen places: listeners that are up to date share one text, and those that lag come in a few groups.
        self._joined = lru_cache(maxsize=16)(self._join_messages)

    def publish(self, kind: str, data: Mapping[str, Any]) -> int:
        """Add a message and return its number. Data that is not JSON is shown as text, never an error."""
        # Before the lock: making JSON of a large event takes longer than everything inside it.
        body = dump_json(data)
        if len(body) > MESSAGE_BYTES:
            body = dump_json(_drop_large_parts(data))
        with self._lock:
            seq = self.last + 1
            published_at = round(self._clock(), 3)
            text = f'{{"seq":{seq},"kind":{json.dumps(kind)},"at":{published_at},"data":{body}}}'
            # Makes room before it writes, or the newest would overwrite what `first` still points at.
            if seq - self.first >= self.kept:
                self._drop()
            self._total += sys.getsizeof(text)
            self._ring[seq % self.kept] = text
            self._bytes[seq % self.kept] = self._total
            self.last = seq
            # Never the newest: a message larger than the whole memory is still told once.
            while self._total - self._dropped > self.kept_bytes and self.first < seq:
                self._drop()
            waiting = list(self._waiting)
            self._waiting.clear()
        for loop, event in waiting:
            # A loop that has ended cannot be woken, and its listener is gone with it.
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)
        return seq

    def _drop(self) -> None:
        place = self.first % self.kept
        self._dropped = self._bytes[place]
        self._ring[place] = ""
        self.first += 1

    def parse_place(self, after: str) -> tuple[int, str | None]:
        """Where to read on for `STREAM:N`, or N alone; and the `gap` to tell first, where that was another stream.

        Raises ValueError for anything else.
        """
        match = AFTER.fullmatch(after)
        if match is None:
            raise ValueError("`after` is a number, or STREAM:NUMBER as the server told it.")
        stream, seq = match[1], int(match[2])
        # Another stream, or a number that this one has not reached: either way the server was started anew.
        if stream not in (None, self.id) or seq > self.last:
            return 0, render_restart(self.id)
        return seq, None

    def render_hello(self, cursor: int) -> str:
        """The first message to a listener: which stream this is, and after which number it begins."""
        data = {"stream": self.id, "after": cursor, "last": self.last}
        return json.dumps({"seq": cursor, "kind": "hello", "at": None, "data": data}, separators=(",", ":"))

    def read_messages(self, after: int, limit: int = BATCH, limit_bytes: int = BATCH_BYTES) -> tuple[list[str], int]:
        """Messages after number `after`, as JSON texts, and the number of the last of them.

        At most `limit`, and no more than `limit_bytes` where one message is not larger. If some of them are no longer
        kept, the first is a `gap` message.
        """
        with self._lock:
            last, first = self.last, self.first
            # A cursor from outside may be anything.
            after = max(0, min(after, last))
            out: list[str] = []
            if after + 1 < first:
                out.append(render_gap(after + 1, first - 1))
                after = first - 1
            end = self._find_end(after, min(last, after + limit), limit_bytes)
            out.extend(self._ring[seq % self.kept] for seq in range(after + 1, end + 1))
        return out, end

    def _find_end(self, after: int, end: int, limit_bytes: int) -> int:
        """The number up to which the messages after `after` take `limit_bytes`; one more than `after` at least."""
        before = self._bytes[after % self.kept] if after >= self.first else self._dropped

        def measure(seq: int) -> int:
            return self._bytes[seq % self.kept] - before

        if end <= after or measure(end) <= limit_bytes:
            return end
        # At least one, or a large message would stop its listener for ever.
        return after + max(1, bisect_left(range(after + 1, end + 1), limit_bytes + 1, key=measure))

    def render_page(self, place: str, limit: int) -> str:
        """Messages after a place, as the JSON object for those who ask. Raises ValueError as `place`."""
        cursor, missed = self.parse_place(place)
        texts, last = self.read_messages(cursor, limit)
        return f'{{"stream":"{self.id}","messages":[{",".join([missed, *texts] if missed else texts)}],"last":{last}}}'

    def render_batch(self, after: int) -> tuple[str, int]:
        """As `read_messages`, as one JSON array. Listeners at the same place share the text."""
        end = min(self.last, (after // BATCH + 1) * BATCH)  # aligned, so that they meet
        if after + 1 < self.first or end - after != BATCH:
            texts, end = self.read_messages(after, max(0, end - after))
            return f"[{','.join(texts)}]", end
        return self._joined(after)

    async def wait_for_news(self, after: int) -> None:
        """Return as soon as there is a message after number `after`."""
        event = asyncio.Event()
        key = (asyncio.get_running_loop(), event)
        with self._lock:
            # Looked at under the same lock in which messages come, so that none falls between the look and the wait.
            if self.last > after:
                return
            self._waiting.add(key)
        try:
            await event.wait()
        finally:
            with self._lock:
                self._waiting.discard(key)

    def _join_messages(self, after: int) -> tuple[str, int]:
        texts, end = self.read_messages(after, BATCH)
        return f"[{','.join(texts)}]", end


def render_gap(start: int, end: int) -> str:
    """The message that stands for what a listener missed."""
    data = {"from": start, "to": end, "missed": end - start + 1, "read_on": READ_ON}
    return json.dumps({"seq": end, "kind": "gap", "at": None, "data": data}, separators=(",", ":"))


def render_restart(stream: str) -> str:
    """The message for a listener of another stream: nobody knows how much it missed; this stream follows from 1."""
    data = {"from": None, "to": None, "missed": None, "stream": stream, "read_on": READ_ON}
    return json.dumps({"seq": 0, "kind": "gap", "at": None, "data": data}, separators=(",", ":"))


def _drop_large_parts(data: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: dump_json(value) for name, value in data.items()}
    return {
        name: data[name] if len(text) <= MESSAGE_BYTES // 10 else f"(not shown: {len(text)} characters of JSON)"
        for name, text in texts.items()
    }


# Those who listen, each on a WebSocket.


async def serve_stream(socket: WebSocket, stream: Stream) -> None:
    """Send everything that happens to one listener, from `?after=` on; with `batch=1` many messages a frame."""
    offered = socket.scope.get("subprotocols", ())
    await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in offered else None)
    query = socket.query_params
    try:
        cursor, missed = stream.parse_place(query["after"]) if "after" in query else (stream.last, None)
    except ValueError as e:
        # 1008 is "policy": a client that gets it must not try the same address again.
        await socket.close(1008, str(e))
        return
    as_batch = query.get("batch") == "1"
    listener = asyncio.ensure_future(_wait_until_closed(socket))
    try:
        first = [stream.render_hello(cursor), *([missed] if missed else [])]
        for text_frame in [f"[{','.join(first)}]"] if as_batch else first:
            await socket.send_text(text_frame)
        # Both are waited for. A listener that has left must not be kept until something happens.
        while not listener.done():
            news = asyncio.ensure_future(stream.wait_for_news(cursor))
            await asyncio.wait((news, listener), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if listener.done():
                break
            if as_batch:
                text, cursor = stream.render_batch(cursor)
                await socket.send_text(text)
                continue
            # Read after the wait, not carried by it: several messages may have come, and they go out together.
            texts, cursor = stream.read_messages(cursor)
            for text_frame in texts:
                await socket.send_text(text_frame)
    except (WebSocketDisconnect, RuntimeError):
        # It comes back with the number it saw last, so nothing is lost by letting it go.
        pass  # it went; it will come back with ?after=
    finally:
        listener.cancel()


async def _wait_until_closed(socket: WebSocket) -> None:
    """What a listener says is not for us; that it leaves is."""
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return
