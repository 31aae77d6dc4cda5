from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class InvoiceResult(TypedDict):
    cents: int


class Invoice(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method
    def issue(self, meter: str, consumption: int) -> InvoiceResult:
        return {"cents": consumption * 30}
