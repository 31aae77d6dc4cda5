from graphbus_core import GraphBusNode, depends_on, schema_method


class Cashier(GraphBusNode):
    @depends_on("Invoice.total")
    @schema_method
    def charge(self, invoice_no: str, gross_total: float) -> dict[str, float]:
        return {"charged": gross_total}
