from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal

from graphbus_core import GraphBusNode, subscribe


class Severity(IntEnum):
    DEBUG = 0
    WARNING = 1
    CRITICAL = 2


class Channel(Enum):
    MAIL = "mail"
    PAGER = 911
    NONE = None


@dataclass
class Alert:
    rule: str
    severity: Severity
    channel: Channel
    escalate_to: Literal[Severity.WARNING, Severity.CRITICAL] | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Alert) -> None: ...


GOOD = [
    {"rule": "cpu", "severity": 0, "channel": "mail"},
    {"rule": "cpu", "severity": 2, "channel": 911, "escalate_to": 2},
    {"rule": "cpu", "severity": 1, "channel": None, "escalate_to": None},
]
BAD = [
    {"rule": "cpu", "severity": 3, "channel": "mail"},
    {"rule": "cpu", "severity": "WARNING", "channel": "mail"},
    {"rule": "cpu", "severity": True, "channel": "mail"},
    {"rule": "cpu", "severity": 1, "channel": "911"},
    {"rule": "cpu", "severity": 1, "channel": "mail", "escalate_to": 0},
    {"rule": "cpu", "severity": 1},
]
