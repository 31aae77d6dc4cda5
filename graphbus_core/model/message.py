"""What travels at run time: `Message` (node to node) and `Event` (topic to subscribers); seed 002 §§2.5, 2.6.

Two kinds of ids. What comes from outside has the run's prefix (128 random bits) and a counter. What a handler makes
has an id that is a function of (cause, handler, topic, which of them): a redelivery makes the same id again.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from typing import Any

# An id is the run's prefix and a counter (design §11). The prefix is the process's, so ids never meet in a journal.
_RUN = os.urandom(16).hex()
# Forty bits: a million events a second for twelve days, in one series.
_SERIAL_BITS = 40
_SERIAL_MASK = (1 << _SERIAL_BITS) - 1
_messages = itertools.count(1)
_series = itertools.count()


def _renew_run_prefix() -> None:
    global _RUN
    # A child has the parent's counters. With the same prefix both would make the same ids.
    _RUN = os.urandom(16).hex()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_run_prefix)


def start_series() -> int:
    """The number from which a series of event numbers counts up; no two series in a process overlap."""
    # Shifted, so that series can count up without asking each other.
    return next(_series) << _SERIAL_BITS


def generate_id(prefix: str = "msg_") -> str:
    """A fresh id: prefix, run, counter."""
    return f"{prefix}{_RUN}_{next(_messages)}"


Origin = tuple[str, str, str, int | str]
"""(id of the cause, durable name of the handler, topic or method, ordinal or the publisher's own key)."""


def derive_id(prefix: str, origin: Origin) -> str:
    """The id of a consequence. The parts are joined by their lengths, so no two origins give one text."""
    # Late: a module of nodes imports this file, and OpenSSL would be an eighth of what that takes.
    import hashlib

    # By their lengths: joined by a sign alone, `a:b` and `c` would be one with `a` and `b:c`.
    text = "".join(f"{len(part)}:{part}" for part in map(str, origin))
    return f"{prefix}{hashlib.blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


@dataclass(slots=True)
class Message:
    """A direct call: `method` of node `dst`, with `payload` as keyword arguments."""

    msg_id: str
    src: str
    dst: str
    method: str
    payload: dict[str, Any]
    context: dict[str, Any] | None = None
    timestamp: float | None = None


@dataclass(init=False, eq=False, repr=False)
class Event:
    """Something that happened, published to a topic. `cause` is the id of the event or message that caused it.

    `timestamp` is seconds since the epoch, and None where nobody asked for times. The text of `event_id` is made
    when it is first read: making it costs as much as a delivery, and most events are never asked for it.
    """

    __slots__ = ("_id", "cause", "payload", "src", "timestamp", "topic")

    event_id: str
    topic: str
    src: str
    payload: dict[str, Any]
    timestamp: float | None
    cause: str | None

    def __init__(
        self,
        event_id: str,
        topic: str,
        src: str,
        payload: dict[str, Any],
        timestamp: float | None = None,
        cause: str | None = None,
    ) -> None:
        self._id: str | int | Origin = event_id
        self.topic = topic
        self.src = src
        self.payload = payload
        self.timestamp = timestamp
        self.cause = cause

    @property  # type: ignore[no-redef]
    def event_id(self) -> str:
        """The event's id."""
        current_id = self._id
        if type(current_id) is int:
            # Made on the first reading and kept: most events are never asked for their id.
            current_id = self._id = f"event_{_RUN}_{current_id >> _SERIAL_BITS}_{current_id & _SERIAL_MASK}"
        elif type(current_id) is tuple:
            current_id = self._id = derive_id("event_", current_id)
        return current_id  # type: ignore[return-value]

    @event_id.setter
    def event_id(self, value: str) -> None:
        self._id = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return self is other or self._values() == other._values()

    # It can be changed, so it must not be a key; two equal events are equal all the same.
    __hash__ = None  # type: ignore[assignment]  # as a dataclass that can be changed

    def _values(self) -> tuple[Any, ...]:
        return (self.event_id, self.topic, self.src, self.payload, self.timestamp, self.cause)

    # By value, because an id that has not been made yet means something in this process alone.
    def __reduce__(self) -> tuple[Any, ...]:
        return (Event, self._values())

    def __repr__(self) -> str:
        return (
            f"Event(event_id={self.event_id!r}, topic={self.topic!r}, src={self.src!r}, payload={self.payload!r}, "
            f"timestamp={self.timestamp!r}, cause={self.cause!r})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The form in a journal and of `graphbus run --json`."""
        return {
            "event_id": self.event_id,
            "topic": self.topic,
            "src": self.src,
            "payload": self.payload,
            "timestamp": self.timestamp,
            "cause": self.cause,
        }


class Published(Event):
    """An Event as the bus makes it: empty, a third quicker than by its own `__init__`. To everybody it is an Event."""

    __slots__ = ()
    __init__ = object.__init__
    __class__ = property(lambda self: Event)  # `dataclasses.replace` makes an Event of it
