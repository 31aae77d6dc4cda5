from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class OrderIn(TypedDict):
    no: int
    status: str


class Mail(GraphBusNode):
    @schema_method
    def notify(self, order: OrderIn) -> dict[str, str]:
        return {"subject": f"Order {order['no']} is {order['status']}"}
