"""Dataclass inheritance where the child narrows a parent's field and gives another a default."""
from dataclasses import dataclass, field
from typing import Any, List, Literal, Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Address:
    city: str
    zip: Optional[str] = None


@dataclass
class Event:
    kind: str
    source: str
    data: Any = None


@dataclass
class AddressChanged(Event):
    kind: Literal["address_changed"]
    source: str = "crm"
    data: Address = field(default_factory=lambda: Address("?"))
    history: List[Address] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: AddressChanged) -> None:
        self.got = payload


GOOD = [
    {"kind": "address_changed"},
    {"kind": "address_changed", "data": {"city": "Lyon"}, "history": [{"city": "Oslo", "zip": "0150"}]},
    {"kind": "address_changed", "source": "web", "data": {"city": "Lyon", "zip": None}},
]
BAD = [
    {"kind": "created"},
    {"source": "crm"},
    {"kind": "address_changed", "data": None},
    {"kind": "address_changed", "data": {"zip": "0150"}},
    {"kind": "address_changed", "history": ["Oslo"]},
]
