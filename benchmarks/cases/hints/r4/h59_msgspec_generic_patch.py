from typing import Generic, Literal, TypeVar, Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Span(Struct, array_like=True, frozen=True):
    start: int
    end: int
    unit: Literal["s", "ms"] = "s"


class Window(Struct, rename={"from_": "from"}):
    from_: int
    spans: list[Span] = []


class Patch(Struct, Generic[T], omit_defaults=True):
    id: int
    title: Union[str, None, UnsetType] = UNSET
    klass: str = msgspec.field(name="class", default="std")
    value: Union[T, UnsetType] = UNSET


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Patch[Window]) -> None: ...


GOOD = [
    {"id": 1},
    {"id": 1, "title": None, "class": "vip"},
    {"id": 1, "title": "t", "value": {"from": 3}},
    {"id": 1, "value": {"from": 3, "spans": [[1, 2], [3, 4, "ms"]]}},
]
BAD = [
    {"id": 1, "title": 5},
    {"id": 1, "class": None},
    {"id": 1, "value": {"from_": 3}},
    {"id": 1, "value": {"from": 3, "spans": [{"start": 1, "end": 2}]}},
    {"id": 1, "value": {"from": 3, "spans": [[1]]}},
    {"id": 1, "value": None},
]
