from typing_extensions import NotRequired, ReadOnly, Required, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Closed(TypedDict, closed=True):
    a: ReadOnly[int]
    b: NotRequired[ReadOnly[str]]


class Extra(TypedDict, extra_items=int):
    name: str


class Top(TypedDict, total=False):
    closed: Required[ReadOnly[Closed]]
    extra: ReadOnly[Extra]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Top) -> None: ...


GOOD = [
    {"closed": {"a": 1}},
    {"closed": {"a": 1, "b": "x"}, "extra": {"name": "n", "x": 1, "y": 2}},
    {"closed": {"a": 1}, "extra": {"name": "n"}, "another": []},
]
BAD = [
    {"closed": {"a": 1, "c": 2}},
    {"closed": {"a": 1, "b": None}},
    {"closed": {"a": 1}, "extra": {"name": "n", "x": "1"}},
    {"closed": {"a": 1}, "extra": {"x": 1}},
    {"extra": {"name": "n"}},
    {"closed": {"a": "1"}},
]
