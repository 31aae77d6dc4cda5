"""Enums of numbers, a mixed one, and a Literal of enum members."""

import enum
from dataclasses import dataclass
from typing import Literal

from graphbus_core import GraphBusNode, subscribe


class Priority(enum.IntEnum):
    LOW = 1
    MID = 5
    HIGH = 9


class Color(enum.Enum):
    RED = "r"
    NONE = -1


@dataclass
class Ticket:
    priority: Priority
    color: Color = Color.NONE
    escalate: Literal[Priority.MID, Priority.HIGH] | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Ticket) -> None:
        self.ticket = payload


GOOD = [
    {"priority": 1},
    {"priority": 9, "color": "r", "escalate": None},
    {"priority": 5, "color": -1, "escalate": 9},
]
BAD = [{"priority": 2}, {"priority": "LOW"}, {"priority": 1, "color": "RED"}, {"priority": 1, "escalate": 1}]
