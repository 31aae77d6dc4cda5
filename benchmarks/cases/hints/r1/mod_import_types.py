"""Types of mod_import."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    TEXT = "text"
    LINK = "link"


@dataclass
class Message:
    sender: str
    kind: Kind
    body: str


@dataclass
class Ack:
    acked: list[int]
