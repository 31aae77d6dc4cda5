from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Order(TypedDict):
    cake: str
    note: NotRequired[str]


class Orders(GraphBusNode):
    @schema_method
    def take(self, cake: str) -> Order:
        return {"cake": cake} if cake == "plain" else {"cake": cake, "note": "Happy 40"}


class Label(GraphBusNode):
    @depends_on("Orders.take")
    @schema_method
    def print_(self, cake: str, note: str) -> dict[str, str]:
        return {"label": cake + (f" ({note})" if note else "")}
