from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Tally(TypedDict):
    sku: str
    qty: int
    bin_: int


class Counter(GraphBusNode):
    @schema_method
    def tally(self, sku: str) -> Tally:
        return {"sku": sku, "qty": 130, "bin_": 12}
