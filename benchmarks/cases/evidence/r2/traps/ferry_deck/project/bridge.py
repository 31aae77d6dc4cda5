from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Ticket(TypedDict):
    plate: str
    empty_weight: int
    laden_weight: int


class WeighBridge(GraphBusNode):
    @schema_method
    def pass_over(self, plate: str) -> Ticket:
        return {"plate": plate, "empty_weight": 12_000, "laden_weight": 38_000}
