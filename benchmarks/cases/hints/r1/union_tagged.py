"""A union of TypedDicts that a Literal tells apart, or no payload at all."""

from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Created(TypedDict):
    type: Literal["created"]
    id: int
    owner: str


class Deleted(TypedDict):
    type: Literal["deleted", "purged"]
    id: int


Change = Created | Deleted


class Node(GraphBusNode):
    @subscribe("/Case/In")
    async def on(self, payload: Change | None = None) -> None:
        self.change = payload


GOOD = [
    None,
    {"type": "created", "id": 1, "owner": "ann"},
    {"type": "deleted", "id": 1},
    {"type": "purged", "id": -2},
]
BAD = [
    {"type": "created", "id": 1},
    {"type": "created", "id": 1, "owner": None},
    {"type": "updated", "id": 1, "owner": "ann"},
    {"id": 1, "owner": "ann"},
    [{"type": "deleted", "id": 1}],
]
