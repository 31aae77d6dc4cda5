"""A TypeVar with a bound as the handler's hint: what the bound takes, it takes."""
from typing import TypeVar

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class HasId(TypedDict):
    id: int
    kind: str


Thing = TypeVar("Thing", bound=HasId)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Thing) -> None:
        self.got = payload


GOOD = [
    {"id": 1, "kind": "cat"},
    {"id": 2, "kind": "dog", "name": "Rex"},
]
BAD = [
    {"id": 1},
    {"kind": "cat"},
    {"id": "one", "kind": "cat"},
    {"id": None, "kind": "cat"},
]
