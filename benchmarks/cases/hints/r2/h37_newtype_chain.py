"""NewType over NewType over plain types, and a NewType of a TypedDict as the whole hint."""
from typing import NewType

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Emails = NewType("Emails", list[str])


class RawGrant(TypedDict):
    by: AdminId
    to: list[UserId]
    notify: Emails


Grant = NewType("Grant", RawGrant)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Grant) -> None:
        self.got = payload


GOOD = [
    {"by": 1, "to": [2, 3], "notify": ["a@b.c"]},
    {"by": 1, "to": [], "notify": []},
]
BAD = [
    {"by": "root", "to": [], "notify": []},
    {"by": 1, "to": ["bob"], "notify": []},
    {"by": 1, "to": [], "notify": "a@b.c"},
    {"by": 1, "to": []},
]
