from datetime import date
from typing import Literal, NotRequired, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Party(TypedDict):
    name: str
    vat_id: NotRequired[str]


class Item(TypedDict):
    text: str
    amount: float


class Invoice(TypedDict):
    number: str
    issued: date
    currency: Literal["EUR", "USD"]
    seller: Party
    buyer: Party
    items: list[Item]
    note: NotRequired[str | None]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Invoice) -> None: ...


GOOD = [
    {"number": "1", "issued": "2024-02-29", "currency": "EUR", "seller": {"name": "A"}, "buyer": {"name": "B", "vat_id": "X1"}, "items": []},
    {"number": "2", "issued": "2024-03-01", "currency": "USD", "seller": {"name": "A"}, "buyer": {"name": "B"},
     "items": [{"text": "t", "amount": 3}, {"text": "u", "amount": 3.5}], "note": None},
    {"number": "3", "issued": "2024-03-01", "currency": "USD", "seller": {"name": "A", "city": "Rome"}, "buyer": {"name": "B"}, "items": [], "note": "hi"},
]
BAD = [
    {"number": "1", "issued": "2023-02-29", "currency": "EUR", "seller": {"name": "A"}, "buyer": {"name": "B"}, "items": []},
    {"number": "1", "issued": "2024-02-29", "currency": "eur", "seller": {"name": "A"}, "buyer": {"name": "B"}, "items": []},
    {"number": "1", "issued": "2024-02-29", "currency": "EUR", "seller": {"name": "A", "vat_id": None}, "buyer": {"name": "B"}, "items": []},
    {"number": "1", "issued": "2024-02-29", "currency": "EUR", "seller": {"name": "A"}, "buyer": {"name": "B"}, "items": [{"text": "t", "amount": "3"}]},
    {"number": 1, "issued": "2024-02-29", "currency": "EUR", "seller": {"name": "A"}, "buyer": {"name": "B"}, "items": []},
    {"number": "1", "issued": "2024-02-29", "currency": "EUR", "seller": {"name": "A"}, "items": []},
]
