"""NotRequired and Required inside Annotated, with Doc marks, stdlib TypedDict under postponed annotations."""
from __future__ import annotations

from typing import Annotated, NotRequired, Required, TypedDict

from annotated_types import Ge
from typing_extensions import Doc

from graphbus_core import GraphBusNode, subscribe


class Search(TypedDict):
    q: Annotated[str, Doc("what is looked for")]
    page: Annotated[NotRequired[int], Doc("from one on")]
    size: NotRequired[Annotated[int, Doc("rows"), Ge(1)]]


class AdminSearch(Search, total=False):
    as_user: Annotated[Required[str], Doc("whose eyes")]
    trace: bool


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: AdminSearch) -> None:
        self.got = payload


GOOD = [
    {"q": "x", "as_user": "kim"},
    {"q": "x", "as_user": "kim", "page": 2, "size": 50, "trace": True},
]
BAD = [
    {"q": "x"},
    {"as_user": "kim", "page": 1},
    {"q": "x", "as_user": "kim", "page": None},
    {"q": "x", "as_user": "kim", "size": 0},
    {"q": "x", "as_user": "kim", "trace": "yes please"},
]
