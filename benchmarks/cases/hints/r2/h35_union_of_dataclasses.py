"""A PEP 604 union of dataclasses right in the handler, with no tag between them."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class ByEmail:
    email: str
    verified: bool = False


@dataclass
class ByPhone:
    phone: str
    country: int


@dataclass
class Anonymous:
    session: list[int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: ByEmail | ByPhone | Anonymous) -> None:
        self.got = payload


GOOD = [
    {"email": "a@b.c"},
    {"phone": "555", "country": 49},
    {"session": []},
]
BAD = [
    {},
    {"phone": "555"},
    {"email": None},
    {"session": ["a"]},
    {"country": 49, "verified": True},
    None,
]
