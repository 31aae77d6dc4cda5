"""Types of h28."""
from __future__ import annotations

import dataclasses
import enum
import typing as t
import uuid

Payload = t.TypeVar("Payload")


class State(enum.Enum):
    ON = "on"
    OFF = "off"


@dataclasses.dataclass
class Header:
    key: uuid.UUID
    state: State = State.ON


@dataclasses.dataclass
class Message(t.Generic[Payload]):
    header: Header
    payload: Payload
    previous: Message[Payload] | None = None
