"""Function call traces (seed 002 §8.2): which handler and which call ran, inside what, for how long, how it ended.

An observer that tells of each one as it ends. For the terminal; the server keeps spans for the page by itself.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphbus_core.model.message import Event, Message

if TYPE_CHECKING:
    from graphbus_core.runtime.message_bus import MessageBus

Attempt = Callable[[Event], Any]


@dataclass(frozen=True)
class TracedCall:
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


_TRACED_STACK: ContextVar[tuple[str, int]] = ContextVar("graphbus_traced", default=("", 0))


class CallTrace:
    """Give it as middleware; it finds its bus by itself. `tell` is called with each one when it ended."""

    looks_on = True  # it stands in no chain

    def __init__(self, tell: Callable[[TracedCall], None]) -> None:
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

    def on_published(self, event: Event) -> None:
        """Events have a history of their own."""

    def get_headers(self, message_id: str) -> dict[str, str]:
        """Nothing travels: each process traces what runs in it."""
        return {}

    def on_arrived(self, message_id: str, headers: Any) -> None:
        """See `headers`."""

    def wrap_attempt(self, handler: str, topic: str, call: Attempt, asynchronous: bool) -> Attempt:
        """`call`, traced."""

        def run_handler(event: Event) -> Any:
            with self._trace("handler", handler, event):
                return call(event)

        async def arun_handler(event: Event) -> Any:
            with self._trace("handler", handler, event):
                return await call(event)

        return arun_handler if asynchronous else run_handler

    @contextmanager
    def trace_call(self, message: Message, place: str) -> Iterator[None]:
        """Around a direct call."""
        call = Event(message.msg_id, "", message.src, message.payload)
        with self._trace(place, f"{message.dst}.{message.method}", call):
            yield

    @contextmanager
    def _trace(self, kind: str, name: str, event: Event) -> Iterator[None]:
        inside, depth = _TRACED_STACK.get()
        token = _TRACED_STACK.set((name, depth + 1))
        # As it may be shown: what a middleware hides is hidden here, and what the method changes is not seen.
        arguments = dict((self._bus.shown(event) if self._bus is not None else event).payload)
        started_at, began, error = time.time(), time.perf_counter(), ""
        try:
            yield
        except BaseException as e:
            error = type(e).__name__  # its text may hold what is hidden
            raise
        finally:
            took_s = time.perf_counter() - began
            _TRACED_STACK.reset(token)
            cause = event.event_id
            traced = TracedCall(
                kind, name, event.src, cause, inside, depth, event.topic, arguments, started_at, took_s, error
            )
            self._tell(traced)


# What was at work when: calls and attempts of handlers with their times, as many as are kept, for traces.


MAX_SPANS = 20_000  # spans; older ones are forgotten
_SERVED_ID: ContextVar[str | None] = ContextVar(
    "graphbus_page_at_work", default=None
)  # the event or call that is served


@dataclass(frozen=True, slots=True)
class Span:
    """A direct call (`id` is its own) or one attempt of a handler (`id` is None), and the event or call behind it."""

    id: str | None
    cause: str | None
    name: str
    at: float  # epoch seconds
    took_s: float
    error: str | None  # the type of what was raised

    def to_dict(self) -> dict[str, Any]:
        """The form in which front ends get it."""
        fields = {"id": self.id, "cause": self.cause, "name": self.name, "at": self.at, "error": self.error}
        return {**fields, "took_ms": self.took_s * 1000, "kind": "handler" if self.id is None else "call"}


class Spans:
    """The observer of a bus that keeps them."""

    def __init__(self) -> None:
        self._all: deque[Span] = deque(maxlen=MAX_SPANS)

    def list_all(self) -> list[Span]:
        """All that are kept, in the order in which they ended."""
        return list(self._all)

    @contextmanager
    def _record(self, own: str | None, serves: str, cause: str | None, name: str) -> Iterator[None]:
        started_at, began, error = time.time(), time.perf_counter(), None
        token = _SERVED_ID.set(serves)
        try:
            yield
        except BaseException as e:
            error = type(e).__name__
            raise
        finally:
            _SERVED_ID.reset(token)
            self._all.append(Span(own, cause, name, started_at, time.perf_counter() - began, error))

    def wrap_attempt(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call`, timed."""

        def run_handler(event: Event) -> Any:
            with self._record(None, event.event_id, event.event_id, handler):
                return call(event)

        async def arun_handler(event: Event) -> Any:
            with self._record(None, event.event_id, event.event_id, handler):
                return await call(event)

        return arun_handler if asynchronous else run_handler

    @contextmanager
    def trace_call(self, message: Message, place: str) -> Iterator[None]:
        """A call, and what was at work when it was made."""
        with self._record(message.msg_id, message.msg_id, _SERVED_ID.get(), f"{message.dst}.{message.method}"):
            yield

    def on_published(self, event: Event) -> None:
        """The bus keeps events itself."""

    def get_headers(self, message_id: str) -> Mapping[str, str]:
        """Nothing travels."""
        return {}

    def on_arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Nothing came."""
