"""Field names which are also the names of types."""
from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Stamp(TypedDict):
    date: date
    datetime: datetime
    int: str
    str: int


@dataclass
class Entry:
    date: date
    Stamp: Stamp
    list: list[int] = field(default_factory=list)
    dict: dict[str, list[int]] = field(default_factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Entry) -> None: ...


GOOD = [
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "i", "str": 1}},
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "i", "str": 1}, "list": [1]},
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "", "str": 0}, "dict": {"k": [2]}},
]
BAD = [
    {"date": 1, "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "i", "str": 1}},
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": 1, "str": "i"}},
    {"date": "2024-01-01", "Stamp": "2024-01-01"},
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "i", "str": 1}, "list": ["a"]},
    {"date": "2024-01-01", "Stamp": {"date": "2024-01-01", "datetime": "2024-01-01T00:00:00", "int": "i", "str": 1}, "dict": {"k": 2}},
]
