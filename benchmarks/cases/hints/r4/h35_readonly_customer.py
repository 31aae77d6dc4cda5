from datetime import date
from typing import Literal

from typing_extensions import NotRequired, ReadOnly, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class CustomerKey(TypedDict):
    id: ReadOnly[int]
    tenant: ReadOnly[Literal["eu", "us"]]


class Customer(CustomerKey):
    name: str
    vat: NotRequired[ReadOnly[str | None]]
    since: ReadOnly[NotRequired[date]]


class CustomerChanged(TypedDict, total=False):
    before: Customer | None
    after: Required[ReadOnly[Customer]]
    changed: list[Literal["name", "vat", "since"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: CustomerChanged) -> None: ...


GOOD = [
    {"after": {"id": 1, "tenant": "eu", "name": "A"}},
    {"before": None, "after": {"id": 1, "tenant": "us", "name": "A", "vat": None}, "changed": []},
    {"before": {"id": 1, "tenant": "eu", "name": "A", "since": "2020-01-01"},
     "after": {"id": 1, "tenant": "eu", "name": "B", "vat": "DE1", "since": "2020-01-01"}, "changed": ["name", "vat"]},
]
BAD = [
    {"before": {"id": 1, "tenant": "eu", "name": "A"}},
    {"after": {"id": 1, "tenant": "asia", "name": "A"}},
    {"after": {"id": 1, "tenant": "eu", "name": "A", "since": None}},
    {"after": {"tenant": "eu", "name": "A"}},
    {"after": {"id": 1, "tenant": "eu", "name": "A"}, "changed": ["id"]},
    {"after": None},
]
