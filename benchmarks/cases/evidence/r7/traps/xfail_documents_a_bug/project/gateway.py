from graphbus_core import GraphBusNode, depends_on, schema_method


class Gateway(GraphBusNode):
    @depends_on("Checkout.close")
    @schema_method(input_schema={"minor_units": int, "currency": str}, output_schema={"text": str})
    def capture(self, minor_units, currency):
        return {"text": f"{currency} {minor_units // 100}.{minor_units % 100:02}"}
