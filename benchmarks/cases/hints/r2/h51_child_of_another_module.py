"""A TypedDict and a dataclass that inherit from another module's, whose postponed names live only there."""
from __future__ import annotations

from dataclasses import dataclass

import h51_child_of_another_module_types as wire

from graphbus_core import GraphBusNode, subscribe

Level = int  # another thing than the Level of the base's module


class Context(wire.BaseContext):
    user: str


@dataclass
class Timed(wire.BaseLog):
    level_no: Level
    context: Context
    took_ms: float = 0.0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Timed) -> None:
        self.got = payload


GOOD = [
    {"level": "info", "message": "m", "level_no": 20, "context": {"user": "u", "worst": "error"}},
    {
        "level": "error",
        "message": "m",
        "level_no": 40,
        "context": {"user": "u", "worst": "info", "origins": [{"file": "b.py", "line": 1}]},
        "took_ms": 3,
        "origin": {"file": "a.py", "line": 3},
    },
]
BAD = [
    {"level": 20, "message": "m", "level_no": 20, "context": {"user": "u", "worst": "error"}},
    {"level": "info", "message": "m", "level_no": "info", "context": {"user": "u", "worst": "error"}},
    {"level": "info", "message": "m", "level_no": 20, "context": {"user": "u", "worst": 40}},
    {"level": "info", "message": "m", "level_no": 20, "context": {"user": "u", "worst": "error"}, "origin": {"file": "a.py"}},
    {"level": "info", "message": "m", "level_no": 20, "context": {"worst": "error"}},
    {"level": "info", "message": "m", "level_no": 20, "context": {"user": "u", "worst": "info", "origins": ["b.py"]}},
]
