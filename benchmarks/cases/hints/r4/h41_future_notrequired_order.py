from __future__ import annotations

from typing import Annotated, NotRequired, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Order(TypedDict):
    id: str
    note: NotRequired[str]
    gift: Annotated[NotRequired[bool], "wrap it"]
    ship_to: NotRequired[Address | None]


class Address(TypedDict, total=False):
    line1: Required[str]
    country: Annotated[Required[str], "ISO 3166"]
    line2: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Order) -> None: ...


GOOD = [
    {"id": "o1"},
    {"id": "o1", "note": "", "gift": True},
    {"id": "o1", "ship_to": None},
    {"id": "o1", "ship_to": {"line1": "Main 1", "country": "NO"}},
    {"id": "o1", "ship_to": {"line1": "Main 1", "country": "NO", "line2": "c/o"}},
]
BAD = [
    {"note": "x"},
    {"id": "o1", "note": None},
    {"id": "o1", "gift": "yes"},
    {"id": "o1", "ship_to": {"line1": "Main 1"}},
    {"id": "o1", "ship_to": {"country": "NO", "line2": "c/o"}},
]
