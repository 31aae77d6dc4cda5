from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class OrderOut(TypedDict):
    no: int
    payment_status: str
    order_status: str


class Orders(GraphBusNode):
    @schema_method
    def get(self, no: int) -> OrderOut:
        return {"no": no, "payment_status": "open", "order_status": "sent"}
