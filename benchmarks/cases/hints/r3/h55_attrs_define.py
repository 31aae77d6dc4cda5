"""attrs, new style: defaults, factory, kw_only, inheritance, alias-free names."""
from datetime import datetime
from enum import Enum
from typing import Optional

from attrs import Factory, define, field, frozen

from graphbus_core import GraphBusNode, subscribe


class Status(Enum):
    OPEN = "open"
    DONE = "done"


@frozen
class Person:
    name: str
    email: Optional[str] = None


@define
class Base:
    id: int
    created: Optional[datetime] = field(default=None, kw_only=True)


@define
class Ticket(Base):
    status: Status
    reporter: Person
    watchers: list[Person] = Factory(list)
    meta: dict[str, int] = field(factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Ticket) -> None: ...


GOOD = [
    {"id": 1, "status": "open", "reporter": {"name": "n"}},
    {"id": 1, "status": "done", "reporter": {"name": "n", "email": "e"}, "watchers": [{"name": "w", "email": None}], "meta": {"a": 1}},
    {"id": 1, "status": "done", "reporter": {"name": "n"}, "created": "2024-01-01T00:00:00", "colour": "red"},
]
BAD = [
    {"id": 1, "status": "open"},
    {"status": "open", "reporter": {"name": "n"}},
    {"id": 1, "status": "OPEN", "reporter": {"name": "n"}},
    {"id": 1, "status": "open", "reporter": {"name": 3}},
    {"id": 1, "status": "open", "reporter": {"name": "n"}, "watchers": ["w"]},
    {"id": 1, "status": "open", "reporter": {"name": "n"}, "created": "soon"},
]
