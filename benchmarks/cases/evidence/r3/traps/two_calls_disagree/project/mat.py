from graphbus_core import GraphBusNode, depends_on, schema_method


class Mat(GraphBusNode):
    @depends_on("Frame.measure")
    @schema_method(input_schema={"side": int}, output_schema={"cut": int})
    def cut(self, side):
        return {"cut": side - 2 * 5}
