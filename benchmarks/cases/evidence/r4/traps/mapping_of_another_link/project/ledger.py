from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LedgerResult(TypedDict):
    entry: str


class Ledger(GraphBusNode):
    @depends_on("Shop.checkout")
    @schema_method
    def enter(self, order_id: str, total: int) -> LedgerResult:
        return {"entry": f"{order_id}={total}"}
