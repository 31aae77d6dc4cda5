"""A closed TypedDict (PEP 728): no keys but its own."""

from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Ping(TypedDict, closed=True):
    host: str
    ttl: NotRequired[int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Ping) -> None:
        self.ping = payload


GOOD = [
    {"host": "a"},
    {"host": "a", "ttl": 64},
    {"host": "", "ttl": 0},
]
BAD = [
    {"host": "a", "port": 80},
    {"host": "a", "ttl": 64, "Ttl": 64},
    {"ttl": 64},
    {"host": "a", "ttl": None},
]
