"""A TypedDict whose base lives in another file with names not known here; a local name
which means something else here than there."""
from __future__ import annotations

from h27_td_other_file_types import BaseSale

from graphbus_core import GraphBusNode, subscribe

_Money = int


class Sale(BaseSale):
    tip: _Money


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Sale) -> None: ...


GOOD = [
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}, "tip": 0},
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}, "tip": 5, "discount": None},
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}, "tip": 5, "discount": {"cents": 0, "currency": ""}},
]
BAD = [
    {"on": "2024-01-01", "price": 1, "tip": 0},
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}, "tip": {"cents": 1, "currency": "EUR"}},
    {"on": "first of may", "price": {"cents": 1, "currency": "EUR"}, "tip": 0},
    {"on": "2024-01-01", "price": {"cents": "1", "currency": "EUR"}, "tip": 0},
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}, "tip": 0, "discount": 5},
    {"on": "2024-01-01", "price": {"cents": 1, "currency": "EUR"}},
]
