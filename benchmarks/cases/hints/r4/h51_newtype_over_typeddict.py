from collections.abc import Mapping
from typing import Annotated, NewType, NotRequired, Optional, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Unit:
    def __init__(self, name: str) -> None:
        self.name = name


class RawLine(TypedDict):
    sku: str
    weight: Annotated[float, Unit("kg")]


class RawOrder(TypedDict):
    lines: Annotated[list[Annotated[RawLine, "checked"]], "never empty"]
    coupons: NotRequired[Annotated[Optional[list[str]], "codes"]]


CheckedOrder = NewType("CheckedOrder", RawOrder)
OrderBook = NewType("OrderBook", Mapping[str, CheckedOrder])


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Annotated[OrderBook, Unit("book")]) -> None: ...


GOOD = [
    {},
    {"o1": {"lines": [{"sku": "a", "weight": 2}]}},
    {"o1": {"lines": [{"sku": "a", "weight": 2.5}, {"sku": "b", "weight": 0}], "coupons": None},
     "o2": {"lines": [{"sku": "c", "weight": 1.5}], "coupons": ["X"]}},
]
BAD = [
    {"o1": {"lines": [{"sku": "a", "weight": "2 kg"}]}},
    {"o1": {"coupons": None}},
    {"o1": {"lines": [{"sku": "a", "weight": 2}], "coupons": [1]}},
    {"o1": None},
    {"lines": [{"sku": "a", "weight": 2}]},
]
