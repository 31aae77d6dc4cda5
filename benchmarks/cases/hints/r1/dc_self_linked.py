"""A linked list: a dataclass with slots that holds itself or nothing."""

from __future__ import annotations

import dataclasses
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


@dataclasses.dataclass(slots=True)
class Step:
    command: str
    then: Optional[Step] = None
    on_error: Step | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Step) -> None:
        self.first = payload


GOOD = [
    {"command": "a"},
    {"command": "a", "then": {"command": "b", "then": {"command": "c"}}},
    {"command": "a", "then": None, "on_error": {"command": "x", "on_error": None}},
]
BAD = [
    {"then": {"command": "b"}},
    {"command": "a", "then": {"then": {"command": "c"}}},
    {"command": "a", "then": {"command": "b", "on_error": {"command": 3}}},
    {"command": "a", "then": "b"},
    {"command": "a", "then": [{"command": "b"}]},
]
