from graphbus_core import GraphBusNode, depends_on, schema_method


class Receipt(GraphBusNode):
    net = 200

    @depends_on("Tax.rate_for")
    @schema_method(output_schema={"total": float})
    def total(self, vat: int):
        return {"total": self.net * (100 + vat) / 100}
