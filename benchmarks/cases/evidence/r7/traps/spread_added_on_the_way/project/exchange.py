from graphbus_core import GraphBusNode, depends_on, schema_method


class Exchange(GraphBusNode):
    @depends_on("Fx.quote")
    @schema_method(input_schema={"rate": float}, output_schema={"francs": float})
    def convert(self, rate):
        return {"francs": round(100 * rate, 2)}
