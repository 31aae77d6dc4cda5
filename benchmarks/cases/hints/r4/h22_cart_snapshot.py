from typing import Dict, NotRequired, Tuple, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Discount(TypedDict):
    code: str
    percent: float


class CartLine(TypedDict):
    qty: int
    price: Tuple[int, str]
    discounts: NotRequired[Tuple[Discount, ...]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Dict[str, CartLine]) -> None: ...


GOOD = [
    {},
    {"sku-1": {"qty": 1, "price": [999, "EUR"]}},
    {"sku-1": {"qty": 1, "price": [999, "EUR"], "discounts": []},
     "sku-2": {"qty": 2, "price": [5, "USD"], "discounts": [{"code": "MAY", "percent": 10},
                                                            {"code": "VIP", "percent": 2.5}]}},
]
BAD = [
    {"sku-1": {"qty": 1, "price": [999]}},
    {"sku-1": {"qty": 1, "price": ["EUR", 999]}},
    {"sku-1": {"qty": 1, "price": [999, "EUR"], "discounts": {"code": "MAY", "percent": 10}}},
    {"sku-1": {"qty": 1, "price": [999, "EUR"]}, "total": 999},
    {"sku-1": {"qty": None, "price": [999, "EUR"]}},
    {"sku-1": {"qty": 1, "price": [999, "EUR"], "discounts": [{"code": "MAY", "percent": "10"}]}},
]
