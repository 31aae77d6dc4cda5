"""NewType of int, of a NewType, of a Literal, of a TypedDict - the last the payload."""
from typing import Literal, NewType, Optional, TypedDict

from graphbus_core import GraphBusNode, subscribe

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Role = NewType("Role", Literal["admin", "guest"])  # type: ignore[valid-newtype]
Matrix = NewType("Matrix", list[list[float]])


class RawGrant(TypedDict):
    by: AdminId
    to: list[UserId]
    role: Optional[Role]
    matrix: Matrix


Grant = NewType("Grant", RawGrant)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Grant) -> None: ...


GOOD = [
    {"by": 1, "to": [], "role": None, "matrix": []},
    {"by": 1, "to": [2, 3], "role": "admin", "matrix": [[1, 2.5], []]},
    {"by": 0, "to": [0], "role": "guest", "matrix": [[]], "note": "n"},
]
BAD = [
    {"by": "1", "to": [], "role": None, "matrix": []},
    {"by": 1, "to": [True], "role": None, "matrix": []},
    {"by": 1, "to": [], "role": "root", "matrix": []},
    {"by": 1, "to": [], "role": None, "matrix": [1.0]},
    {"by": 1, "to": [], "role": None},
]
