"""NewTypes are their base in JSON, also one on top of another."""

from dataclasses import dataclass
from typing import NewType, TypeAlias

from graphbus_core import GraphBusNode, subscribe

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Tags = NewType("Tags", list[str])
Rights: TypeAlias = "dict[str, list[UserId]]"


@dataclass
class Grant:
    by: AdminId
    to: list[UserId]
    tags: Tags
    rights: Rights


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Grant) -> None:
        self.grant = payload


GOOD = [
    {"by": 1, "to": [], "tags": [], "rights": {}},
    {"by": 1, "to": [2, 3], "tags": ["x"], "rights": {"read": [2], "write": []}},
    {"by": 0, "to": [0], "tags": [""], "rights": {"": [-1]}},
]
BAD = [
    {"by": "1", "to": [], "tags": [], "rights": {}},
    {"by": 1, "to": [None], "tags": [], "rights": {}},
    {"by": 1, "to": [], "tags": "x", "rights": {}},
    {"by": 1, "to": [], "tags": [], "rights": {"read": 2}},
    {"by": 1, "to": [], "tags": []},
]
