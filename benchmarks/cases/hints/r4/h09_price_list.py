from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Price(TypedDict):
    net: Decimal
    valid_from: date
    valid_to: date | None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Mapping[str, Price | list[Price]]) -> None: ...


GOOD = [
    {},
    {"sku-1": {"net": "9.99", "valid_from": "2024-01-01", "valid_to": None}},
    {"sku-1": [{"net": "9.99", "valid_from": "2024-01-01", "valid_to": "2024-06-30"},
               {"net": "10.99", "valid_from": "2024-07-01", "valid_to": None}], "sku-2": []},
]
BAD = [
    {"sku-1": "9.99"},
    {"sku-1": {"net": "9.99", "valid_from": "2024-01-01"}},
    {"sku-1": [{"net": "9.99", "valid_from": "2024-13-01", "valid_to": None}]},
    {"sku-1": {"net": None, "valid_from": "2024-01-01", "valid_to": None}},
    {"sku-1": [None]},
    {"net": "9.99", "valid_from": "2024-01-01", "valid_to": None},
]
