"""IntEnum values beside a Literal of single members of a string Enum."""
from enum import Enum, IntEnum
from typing import Literal

from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Severity(IntEnum):
    LOW = 10
    MID = 20
    HIGH = 30


class State(str, Enum):
    OPEN = "open"
    ACKED = "acked"
    CLOSED = "closed"


class Alert(TypedDict):
    severity: Severity
    state: Literal[State.OPEN, State.ACKED]
    previous: NotRequired[State]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Alert) -> None:
        self.got = payload


GOOD = [
    {"severity": 10, "state": "open"},
    {"severity": 30, "state": "acked", "previous": "closed"},
]
BAD = [
    {"severity": 15, "state": "open"},
    {"severity": "HIGH", "state": "open"},
    {"severity": 10, "state": "closed"},
    {"severity": 10, "state": "OPEN"},
    {"severity": 10, "state": "open", "previous": "new"},
]
