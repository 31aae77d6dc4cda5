from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class RefundsResult(TypedDict):
    day: str
    refunded: int


class Refunds(GraphBusNode):
    @schema_method
    def collect(self, day: str) -> RefundsResult:
        return {"day": day, "refunded": 1500}
