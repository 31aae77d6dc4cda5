from graphbus_core import GraphBusNode, depends_on, schema_method


class District(GraphBusNode):
    @depends_on("Plant.measure")
    @schema_method(input_schema={"heat_kw": float}, output_schema={"homes": int})
    def serve(self, heat_kw):
        return {"homes": int(heat_kw // 6)}
