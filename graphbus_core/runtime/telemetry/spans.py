"""What was at work when: calls and attempts of handlers with their times, as many as are kept, for traces."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from graphbus_core.model.message import Event, Message

KEPT = 20_000  # spans; older ones are forgotten
_AT_WORK: ContextVar[str | None] = ContextVar("graphbus_page_at_work", default=None)  # the event or call that is served


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
        told = {"id": self.id, "cause": self.cause, "name": self.name, "at": self.at, "error": self.error}
        return {**told, "took_ms": self.took_s * 1000, "kind": "handler" if self.id is None else "call"}


class Spans:
    """The observer of a bus that keeps them."""

    def __init__(self) -> None:
        self._all: deque[Span] = deque(maxlen=KEPT)

    def all(self) -> list[Span]:
        """All that are kept, in the order in which they ended."""
        return list(self._all)

    @contextmanager
    def _taking(self, own: str | None, serves: str, cause: str | None, name: str) -> Iterator[None]:
        at, began, error = time.time(), time.perf_counter(), None
        token = _AT_WORK.set(serves)
        try:
            yield
        except BaseException as e:
            error = type(e).__name__
            raise
        finally:
            _AT_WORK.reset(token)
            self._all.append(Span(own, cause, name, at, time.perf_counter() - began, error))

    def handling(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call`, timed."""

        def handled(event: Event) -> Any:
            with self._taking(None, event.event_id, event.event_id, handler):
                return call(event)

        async def ahandled(event: Event) -> Any:
            with self._taking(None, event.event_id, event.event_id, handler):
                return await call(event)

        return ahandled if asynchronous else handled

    @contextmanager
    def calling(self, message: Message, place: str) -> Iterator[None]:
        """A call, and what was at work when it was made."""
        with self._taking(message.msg_id, message.msg_id, _AT_WORK.get(), f"{message.dst}.{message.method}"):
            yield

    def published(self, event: Event) -> None:
        """The bus keeps events itself."""

    def headers(self, message_id: str) -> Mapping[str, str]:
        """Nothing travels."""
        return {}

    def arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Nothing came."""
