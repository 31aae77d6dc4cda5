"""Missing, null and present are three things."""
from typing import Annotated, NotRequired, Optional, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Profile(TypedDict, total=False):
    may_be_null: Required[Optional[str]]
    may_miss: str
    both: NotRequired[Optional[int]]
    wrapped: Annotated[Required[bool], "in an Annotated"]
    inner: NotRequired[Annotated[list[int], "ids"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Profile) -> None: ...


GOOD = [
    {"may_be_null": None, "wrapped": True},
    {"may_be_null": "s", "wrapped": False, "may_miss": "m", "both": None},
    {"may_be_null": "", "wrapped": False, "both": 3, "inner": [1]},
]
BAD = [
    {"wrapped": True},
    {"may_be_null": None},
    {"may_be_null": None, "wrapped": None},
    {"may_be_null": None, "wrapped": True, "may_miss": None},
    {"may_be_null": None, "wrapped": True, "both": "3"},
    {"may_be_null": None, "wrapped": True, "inner": None},
]
