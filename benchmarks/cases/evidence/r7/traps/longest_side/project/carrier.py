from graphbus_core import GraphBusNode, depends_on, schema_method


class Carrier(GraphBusNode):
    LIMIT = 120

    @depends_on("Scanner.box")
    @schema_method(input_schema={"longest": int}, output_schema={"accepted": bool})
    def accept(self, longest):
        return {"accepted": longest <= self.LIMIT}
