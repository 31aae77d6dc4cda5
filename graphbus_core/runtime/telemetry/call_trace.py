"""Function call traces (seed 002 §8.2): which handler and which call ran, inside what, for how long, how it ended.

An observer that tells of each one as it ends. For the terminal; the server keeps spans for the page by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphbus_core.model.message import Event, Message

if TYPE_CHECKING:
    from graphbus_core.runtime.message_bus import MessageBus

Attempt = Callable[[Event], Any]


@dataclass(frozen=True)
class Traced:
    """One run of a method. `cause` is the id of the event or call that it ran for, `inside` the method that called it.

    `kind` is `handler`, or the side of a call: `here`, `asked` (it ran in another process), `answered` (for one).
    """

    kind: str
    name: str
    src: str
    cause: str
    inside: str
    depth: int
    topic: str
    arguments: dict[str, Any]
    at: float  # epoch seconds, when it began
    took_s: float
    error: str


_AT_WORK: ContextVar[tuple[str, int]] = ContextVar("graphbus_traced", default=("", 0))


class CallTrace:
    """Give it as middleware; it finds its bus by itself. `tell` is called with each one when it ended."""

    looks_on = True  # it stands in no chain

    def __init__(self, tell: Callable[[Traced], None]) -> None:
        self._tell = tell
        self._bus: MessageBus | None = None

    def used_by(self, bus: MessageBus) -> None:
        """Look on at this bus."""
        self._bus = bus
        bus.observe(self)

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        """Everything is seen elsewhere."""
        return next(event)

    # As observer

    def published(self, event: Event) -> None:
        """Events have a history of their own."""

    def headers(self, message_id: str) -> dict[str, str]:
        """Nothing travels: each process traces what runs in it."""
        return {}

    def arrived(self, message_id: str, headers: Any) -> None:
        """See `headers`."""

    def handling(self, handler: str, topic: str, call: Attempt, asynchronous: bool) -> Attempt:
        """`call`, traced."""

        def handled(event: Event) -> Any:
            with self._running("handler", handler, event):
                return call(event)

        async def ahandled(event: Event) -> Any:
            with self._running("handler", handler, event):
                return await call(event)

        return ahandled if asynchronous else handled

    @contextmanager
    def calling(self, message: Message, place: str) -> Iterator[None]:
        """Around a direct call."""
        call = Event(message.msg_id, "", message.src, message.payload)
        with self._running(place, f"{message.dst}.{message.method}", call):
            yield

    @contextmanager
    def _running(self, kind: str, name: str, event: Event) -> Iterator[None]:
        inside, depth = _AT_WORK.get()
        token = _AT_WORK.set((name, depth + 1))
        # As it may be shown: what a middleware hides is hidden here, and what the method changes is not seen.
        arguments = dict((self._bus.shown(event) if self._bus is not None else event).payload)
        at, began, error = time.time(), time.perf_counter(), ""
        try:
            yield
        except BaseException as e:
            error = type(e).__name__  # its text may hold what is hidden
            raise
        finally:
            took_s = time.perf_counter() - began
            _AT_WORK.reset(token)
            cause = event.event_id
            one = Traced(kind, name, event.src, cause, inside, depth, event.topic, arguments, at, took_s, error)
            self._tell(one)
