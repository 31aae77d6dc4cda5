"""What looks on while events are published and handled, and calls are made. A bus without one asks nobody anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import Any, Protocol

from graphbus_core.model.message import Event, Message

Attempt = Callable[[Event], Any]


class Observer(Protocol):
    """Looks on, and changes nothing. Give it to `MessageBus.observe` before handlers are subscribed."""

    def on_published(self, event: Event) -> None:
        """An event is about to be delivered, or handed to the transport."""

    def wrap_attempt(self, handler: str, topic: str, call: Attempt, asynchronous: bool) -> Attempt:
        """`call`, looked at: one attempt of a handler at an event."""

    def trace_call(self, message: Message, place: str) -> AbstractContextManager[Any]:
        """Around a direct call. `place`: `here`, or one side of a call between processes: `asked` or `answered`."""

    def get_headers(self, message_id: str) -> Mapping[str, str]:
        """What travels beside an event or a call to another process."""

    def on_arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """The same, at the other end, before the event is handled or the call is made."""


def build_wrappers(observers: Sequence[Observer]) -> list[Callable[..., Attempt]]:
    """What puts each of them around an attempt, by the handler's durable name, which ends in its topic."""

    def wrap(observer: Observer, durable: str, call: Attempt, *, asynchronous: bool) -> Attempt:
        handler, _, topic = durable.rpartition(" ")
        return observer.wrap_attempt(handler, topic, call, asynchronous)

    return [partial(wrap, observer) for observer in observers]


@contextmanager
def trace_with_all(observers: Sequence[Observer], message: Message, place: str) -> Iterator[None]:
    """All of them around a direct call."""
    with ExitStack() as stack:
        for observer in observers:
            stack.enter_context(observer.trace_call(message, place))
        yield
