from typing import Any, Literal, Never, NoReturn, NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Person(TypedDict):
    name: str
    vat_id: NotRequired[Never]
    birth_year: int


class Company(TypedDict):
    name: str
    vat_id: str
    birth_year: NotRequired[NoReturn]
    contacts: NotRequired[list[Person]]


class CustomerCreated(TypedDict):
    source: Literal["web", "shop", None]
    customer: Person | Company
    raw: object
    hints: NotRequired[Any]
    gone: NotRequired[None]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: CustomerCreated) -> None: ...


GOOD = [
    {"source": "web", "customer": {"name": "A", "birth_year": 1990}, "raw": None},
    {"source": None, "customer": {"name": "A", "vat_id": "NO1"}, "raw": [1, {"x": True}], "hints": 4},
    {"source": "shop", "customer": {"name": "A", "vat_id": "NO1", "contacts": [{"name": "B", "birth_year": 1980}]},
     "raw": "", "gone": None},
]
BAD = [
    {"source": "web", "customer": {"name": "A", "birth_year": 1990, "vat_id": "NO1"}, "raw": None},
    {"source": "web", "customer": {"name": "A", "vat_id": "NO1", "contacts": [
        {"name": "B", "birth_year": 1980, "vat_id": None}]}, "raw": None},
    {"source": "web", "customer": {"name": "A", "birth_year": 1990}},
    {"source": "web", "customer": {"name": "A", "birth_year": 1990}, "raw": None, "gone": False},
    {"customer": {"name": "A", "birth_year": 1990}, "raw": None},
    {"source": "web", "customer": {"name": "A"}, "raw": None},
]
