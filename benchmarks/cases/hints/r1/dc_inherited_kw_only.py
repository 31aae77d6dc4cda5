"""Inherited dataclasses: a base with a default, a child with a required keyword field; one default overridden."""

from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Event:
    source: str = "unknown"
    level: int = 0


@dataclass(kw_only=True)
class Alarm(Event):
    code: str
    level: int = 5


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Alarm) -> None:
        self.alarm = payload


GOOD = [
    {"code": "E1"},
    {"source": "pump", "code": "E1"},
    {"level": 9, "code": "", "source": ""},
]
BAD = [
    {},
    {"source": "pump", "level": 5},
    {"code": "E1", "source": None},
    {"code": "E1", "level": "high"},
    {"code": ["E1"]},
]
