from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Decision(TypedDict):
    loan: str
    requested_sum: int
    limit: int


class Bank(GraphBusNode):
    @schema_method
    def apply(self, loan: str, euros: int) -> Decision:
        return {"loan": loan, "requested_sum": euros, "limit": 5000}


class Payout(GraphBusNode):
    @depends_on("Bank.apply")
    @schema_method
    def pay(self, loan: str, sum: int) -> dict[str, int]:
        return {"paid": sum}
