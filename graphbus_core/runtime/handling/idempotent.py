"""`Idempotent`: a handler that has an event does not get it again. It knows events by their ids, a bounded number.

    executor = RuntimeExecutor(".graphbus", middleware=[Idempotent()])

It stands around each attempt of each handler, and not around the delivery of an event: what one handler has, another
may still lack. Only what went well counts. A handler that failed gets the event again: by a retry, by
`graphbus run … dead-letters retry`, after a crash.

It lives in memory, and forgets with the process. So it keeps effects single while the process lives: over a broker that
brings an event twice, and where a retry publishes again what its first attempt published. After a crash the id and the
effect have to be in one place: a row of the same transaction, or a node's own state.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent import futures
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.model.message import Event

Key = tuple[str, str]  # durable name of the handler, id of the event


class Idempotent:
    """Remembers the last `keep` (handler, event) that went well. `met` counts the duplicates that it kept away."""

    def __init__(self, keep: int = 100_000) -> None:
        if not (type(keep) is int and keep >= 1):
            raise ConfigError(f"Idempotent(keep={keep!r}): give a whole number of events, 1 or more.")
        self._keep = keep
        self._lock = threading.Lock()
        self._done: OrderedDict[Key, None] = OrderedDict()
        self._under_way: dict[Key, futures.Future[None]] = {}
        self.met = 0

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        return next(event)

    def around(self, durable: str, call: Callable[[Event], Any], *, asynchronous: bool) -> Callable[[Event], Any]:
        """`call`, for an event that this handler does not have yet. The bus asks for it when a handler subscribes."""

        def handler(event: Event) -> Any:
            key = durable, event.event_id
            while (before := self._begun(key)) is not None:
                if before.done():
                    return None
                before.result()  # another thread is at the same event: it has to be known how that ends
            return self._noted(key, call, event)

        async def ahandler(event: Event) -> Any:
            key = durable, event.event_id
            while (before := self._begun(key)) is not None:
                if before.done():
                    return
                await asyncio.wrap_future(before)
            went_well = False
            try:
                await call(event)
                went_well = True
            finally:
                self._ended(key, went_well)

        return ahandler if asynchronous else handler

    def _begun(self, key: Key) -> futures.Future[None] | None:
        """None: it is ours to handle. Else who has it: done already, or still at it."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                self.met += 1
                return _DONE
            if (before := self._under_way.get(key)) is not None:
                return before
            self._under_way[key] = futures.Future()
            return None

    def _noted(self, key: Key, call: Callable[[Event], Any], event: Event) -> Any:
        try:
            given = call(event)
        except BaseException:
            self._ended(key, False)
            raise
        if hasattr(type(given), "__await__"):  # a plain function around an async one
            return self._awaited(key, given)
        self._ended(key, True)
        return given

    async def _awaited(self, key: Key, given: Any) -> None:
        went_well = False
        try:
            await given
            went_well = True
        finally:
            self._ended(key, went_well)

    def _ended(self, key: Key, went_well: bool) -> None:
        with self._lock:
            over = self._under_way.pop(key)
            if went_well:
                self._done[key] = None
                if len(self._done) > self._keep:
                    self._done.popitem(last=False)
        over.set_result(None)


_DONE: futures.Future[None] = futures.Future()
_DONE.set_result(None)
