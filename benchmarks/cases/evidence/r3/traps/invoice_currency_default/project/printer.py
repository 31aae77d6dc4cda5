from graphbus_core import GraphBusNode, depends_on, schema_method


class Printer(GraphBusNode):
    @depends_on("Till.close")
    @schema_method(output_schema={"text": str})
    def slip(self, amount: float, currency: str = "EUR"):
        return {"text": f"{currency} {amount:.2f}"}
