"""A total=False TypedDict whose two keys are pulled back with Required[...]."""
from typing import Literal, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class UserPatch(TypedDict, total=False):
    user_id: Required[int]
    op: Required[Literal["replace", "merge"]]
    display_name: str
    bio: str | None
    tags: list[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: UserPatch) -> None:
        self.got = payload


GOOD = [
    {"user_id": 7, "op": "merge"},
    {"user_id": 7, "op": "replace", "bio": None},
    {"user_id": 0, "op": "merge", "display_name": "Ada", "tags": ["x", "y"]},
]
BAD = [
    {"op": "merge", "display_name": "Ada"},
    {"user_id": 7, "display_name": "Ada"},
    {"user_id": 7, "op": "merge", "display_name": None},
    {"user_id": 7, "op": "append"},
    {},
]
