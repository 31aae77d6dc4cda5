"""Order per key: a handler takes events of one key one after the other, as they came, and all others at once.

Each event that reaches the handler takes a turn in the line of its key, when it is given and not when it is awaited:
so the order is that of the deliveries, whoever runs first afterwards. A turn is over when every attempt is, or when
the event that waits is thrown away. Lines are kept by the handler's durable name, so a reload keeps them.

A thread waits for its turn. A loop cannot, and is given something to await.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from graphbus_core.errors import QueueFull
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import get_running_loop
from graphbus_core.runtime.subscriptions.handlers import is_awaitable


class _Turn:
    """One event's place in a line. `ident` is the thread that works on it, while it does so without awaiting."""

    __slots__ = ("_callbacks", "ident", "is_first", "is_over", "key")

    def __init__(self, key: str) -> None:
        self.key = key
        self.is_first = self.is_over = False
        self.ident = 0
        self._callbacks: list[Callable[[], None]] = []

    def when_first(self, callback: Callable[[], None]) -> None:
        """Called under the line's lock."""
        self._callbacks.append(callback)

    def begin(self) -> None:
        """It is the first in its line now. Called under the line's lock."""
        self.is_first = True
        for callback in self._callbacks:
            callback()


class KeyOrder:
    """The lines of one handler. `field` of the payload is the key; events without it have one line together, so
    that a wrong name costs speed and no order.
    """

    def __init__(self, field: str) -> None:
        self.field = field
        self._lock = threading.RLock()  # a turn may end where garbage is collected, in the thread that holds it
        self._lines: dict[str, deque[_Turn]] = {}
        self._reserved: dict[int, _Turn] = {}  # of events whose delivery began, and has not come to this handler

    def reserve(self, event: Event) -> None:
        """Its delivery begins: whatever handlers before this one take, it keeps its place."""
        turn = self._take_turn(event)
        with self._lock:
            self._reserved[id(event)] = turn

    def release(self, event: Event) -> None:
        """Its delivery is over."""
        with self._lock:
            turn = self._reserved.pop(id(event), None)
        if turn is not None:
            self._end(turn)

    def wrap(self, call: Callable[[Event], Any], name: str) -> Callable[[Event], Any]:
        """`call`, with all its attempts, in its turn."""

        def handler(event: Event) -> Any:
            with self._lock:
                turn = self._reserved.pop(id(event), None)
            turn = turn or self._take_turn(event)
            if not turn.is_first and get_running_loop() is None:
                self._wait(turn, name)
            if not turn.is_first:
                return self._keep(turn, self._await_turn(turn, call, event))
            return self._run(turn, call, event)

        return handler

    def read_key(self, event: Event) -> str:
        """The key of an event, as text."""
        return repr(event.payload.get(self.field))

    def _take_turn(self, event: Event) -> _Turn:
        turn = _Turn(self.read_key(event))
        with self._lock:
            line = self._lines.setdefault(turn.key, deque())
            line.append(turn)
            if line[0] is turn:
                turn.begin()
        return turn

    def _end(self, turn: _Turn) -> None:
        with self._lock:
            if turn.is_over:
                return
            turn.is_over = True
            line = self._lines[turn.key]
            line.remove(turn)
            if not line:
                del self._lines[turn.key]
            elif not line[0].is_first:
                line[0].begin()

    def _wait(self, turn: _Turn, name: str) -> None:
        """In a thread: until the turn comes. Raises QueueFull where this very thread is at an earlier event."""
        come = threading.Event()
        with self._lock:
            first = self._lines[turn.key][0]
            if first.ident == threading.get_ident():
                self._end(turn)
                raise QueueFull(
                    f"{name} is at an event with the same {self.field} already, further up in this thread: its queue "
                    f"was full. Raise queue_limit, or publish less in one go."
                )
            if turn.is_first:
                return
            turn.when_first(come.set)
        try:
            come.wait()
        except BaseException:
            self._end(turn)
            raise

    async def _await_turn(self, turn: _Turn, call: Callable[[Event], Any], event: Event) -> Any:
        loop = asyncio.get_running_loop()
        come = loop.create_future()

        def go_on() -> None:
            if not come.done():
                come.set_result(None)

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(go_on)

        with self._lock:
            if not turn.is_first:
                turn.when_first(wake)
        try:
            if not turn.is_first:
                await come
            returned = call(event)
            return await returned if is_awaitable(returned) else returned
        finally:
            self._end(turn)

    def _run(self, turn: _Turn, call: Callable[[Event], Any], event: Event) -> Any:
        turn.ident = threading.get_ident()
        try:
            returned = call(event)
        except BaseException:
            self._end(turn)
            raise
        turn.ident = 0
        if is_awaitable(returned):
            return self._keep(turn, self._await_rest(turn, returned))
        self._end(turn)
        return returned

    async def _await_rest(self, turn: _Turn, returned: Any) -> Any:
        try:
            return await returned
        finally:
            self._end(turn)

    def _keep(self, turn: _Turn, waiting: Any) -> Any:
        """Where it is thrown away before it began, the turn is over too."""
        weakref.finalize(waiting, self._end, turn)
        return waiting
