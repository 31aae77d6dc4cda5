from typing import Annotated, NotRequired, Required, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Rec(TypedDict, total=False):
    a: Required[Annotated[int, "first"]]
    b: Annotated[Required[str], "outer", {"unhashable": []}]
    c: Annotated[float, "plain"]


class Whole(TypedDict):
    rec: Annotated[Rec, "doc"]
    opt: Annotated[NotRequired[list[Annotated[int, "inner"]]], 1, 2]
    more: NotRequired[Annotated[Annotated[bool, "x"] | None, "y"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Annotated[Whole, "the event"]) -> None: ...


GOOD = [
    {"rec": {"a": 1, "b": "x"}},
    {"rec": {"a": 1, "b": "x", "c": 2}, "opt": [1, 2], "more": None},
    {"rec": {"a": 1, "b": "x", "c": 2.5}, "opt": [], "more": True},
]
BAD = [
    {"rec": {"a": 1}},
    {"rec": {"b": "x"}},
    {"rec": {"a": 1, "b": "x", "c": "2"}},
    {"rec": {"a": 1, "b": "x"}, "opt": None},
    {"rec": {"a": 1, "b": "x"}, "opt": ["1"]},
    {"opt": []},
]
