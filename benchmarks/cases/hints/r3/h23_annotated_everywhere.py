"""Annotated with plain metadata around the payload, around forward names, nested, in unions."""
from dataclasses import dataclass
from typing import Annotated, Any, Optional

from graphbus_core import GraphBusNode, subscribe

Positive = Annotated[int, "documented only"]
Deep = Annotated[Annotated[Positive, object()], {"unit": "kg"}]


@dataclass
class Parcel:
    weight: Deep
    to: Annotated["Address", "where"]
    via: list[Annotated[Optional[Annotated["Address", 1]], 2]]
    meta: Annotated[dict[Annotated[str, "key"], Annotated[Any, "value"]], ...]


@dataclass
class Address:
    city: Annotated[str, print]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Annotated[Parcel, "the event", 3]) -> None: ...


GOOD = [
    {"weight": 1, "to": {"city": "B"}, "via": [], "meta": {}},
    {"weight": 0, "to": {"city": ""}, "via": [None, {"city": "C"}], "meta": {"a": None, "b": [1, "x"]}},
    {"weight": 9, "to": {"city": "B", "zip": 1}, "via": [{"city": "C"}], "meta": {"k": {}}},
]
BAD = [
    {"weight": "1", "to": {"city": "B"}, "via": [], "meta": {}},
    {"weight": 1, "to": {}, "via": [], "meta": {}},
    {"weight": 1, "to": None, "via": [], "meta": {}},
    {"weight": 1, "to": {"city": "B"}, "via": [{"city": 1}], "meta": {}},
    {"weight": 1, "to": {"city": "B"}, "via": [], "meta": []},
]
