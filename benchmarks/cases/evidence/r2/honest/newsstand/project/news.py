from graphbus_core import GraphBusNode, depends_on, schema_method


class Wire(GraphBusNode):
    @schema_method(input_schema={"desk": str}, output_schema={"text": str, "urgent": bool})
    def latest(self, desk):
        return {"text": f"all quiet at {desk}", "urgent": False}


class Typesetter(GraphBusNode):
    @depends_on("Wire.latest")
    @schema_method(input_schema={"copy": str}, output_schema={"lines": int})
    def column(self, copy):
        return {"lines": -(-len(copy) // 10)}
