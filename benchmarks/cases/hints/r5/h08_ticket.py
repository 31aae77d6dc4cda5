from __future__ import annotations
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from graphbus_core import GraphBusNode, subscribe


class Priority(IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3


@dataclass
class Ticket:
    title: str
    priority: Priority
    assignee: Person | None = None
    comments: list[Comment] = field(default_factory=list)


@dataclass
class Comment:
    author: Person
    text: str
    at: datetime | None = None


@dataclass
class Person:
    name: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Ticket) -> None: ...


GOOD = [
    {"title": "t", "priority": 1},
    {"title": "t", "priority": 3, "assignee": {"name": "n"}, "comments": [{"author": {"name": "m"}, "text": "x"}]},
    {"title": "t", "priority": 2, "assignee": None, "comments": [{"author": {"name": "m"}, "text": "x", "at": "2024-01-01T00:00:00"}]},
]
BAD = [
    {"title": "t", "priority": 4},
    {"title": "t", "priority": "HIGH"},
    {"title": "t", "priority": 1, "assignee": "n"},
    {"title": "t", "priority": 1, "comments": [{"author": "m", "text": "x"}]},
    {"title": "t", "priority": 1, "comments": [{"author": {"name": "m"}, "text": None}]},
]
