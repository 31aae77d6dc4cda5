from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LedgerResult(TypedDict):
    balance: int


class Ledger(GraphBusNode):
    @depends_on("Refunds.collect")
    @schema_method
    def post(self, day: str, amount: int) -> LedgerResult:
        return {"balance": 10000 + amount}
