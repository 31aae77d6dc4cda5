from pydantic import BaseModel, ConfigDict
from graphbus_core import GraphBusNode, subscribe


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Entry(Strict):
    sku: str
    qty: int = 1


class Cart(Strict):
    user: str
    entries: dict[str, Entry]
    coupon: str | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Cart) -> None: ...


GOOD = [
    {"user": "u", "entries": {}},
    {"user": "u", "entries": {"a": {"sku": "s"}}, "coupon": None},
    {"user": "u", "entries": {"a": {"sku": "s", "qty": 2}, "b": {"sku": "t"}}, "coupon": "X"},
]
BAD = [
    {"user": "u", "entries": {}, "total": 1},
    {"user": "u", "entries": {"a": {"sku": "s", "price": 1}}},
    {"user": "u", "entries": {"a": {"qty": 1}}},
    {"user": "u", "entries": {"a": None}},
    {"user": None, "entries": {}},
]
