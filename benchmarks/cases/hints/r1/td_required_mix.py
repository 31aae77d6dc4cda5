"""NotRequired inside a total dict, Required inside a partial one."""

from typing import NotRequired, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Address(TypedDict, total=False):
    city: Required[str]
    street: str


class Customer(TypedDict):
    id: int
    nickname: NotRequired[str | None]
    address: Address


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Customer) -> None:
        self.customer = payload


GOOD = [
    {"id": 1, "address": {"city": "Bern"}},
    {"id": 2, "nickname": None, "address": {"city": "Bern", "street": "Gasse 1"}},
    {"id": 3, "nickname": "Zed", "address": {"city": ""}},
]
BAD = [
    {"id": 1, "address": {"street": "Gasse 1"}},
    {"id": 1, "nickname": "Zed"},
    {"id": 1, "nickname": 7, "address": {"city": "Bern"}},
    {"id": 1, "address": {"city": "Bern", "street": None}},
    {"id": 1, "address": None},
]
