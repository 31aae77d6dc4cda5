from __future__ import annotations
from dataclasses import dataclass, field
from datetime import date, time
from typing import Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Event:
    id: int
    date: Optional[date] = None
    time: time | None = None
    list: list[str] = field(default_factory=list)
    note: str = "s"
    type: dict[str, int] | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"id": 1},
    {"id": 1, "date": "2024-01-01", "time": "10:00:00", "list": ["a"], "note": "x", "type": {"a": 1}},
    {"id": 1, "date": None, "time": None, "list": [], "type": None},
]
BAD = [
    {"id": 1, "date": "tomorrow"},
    {"id": 1, "time": "later"},
    {"id": 1, "date": 5},
    {"id": 1, "list": [1]},
    {"date": "2024-01-01"},
    {"id": 1, "type": {"a": "b"}},
]
