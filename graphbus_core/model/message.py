"""What travels at run time: `Message` (node to node) and `Event` (topic to subscribers); seed 002 §§2.5, 2.6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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


@dataclass(slots=True)
class Event:
    """Something that happened, published to a topic. `cause` is the id of the event that caused it, if any."""

    event_id: str
    topic: str
    src: str
    payload: dict[str, Any]
    timestamp: float | None = None
    cause: str | None = None
