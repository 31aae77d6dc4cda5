from graphbus_core import GraphBusNode, depends_on, schema_method


class Trend(GraphBusNode):
    @depends_on("Gauge.sample")
    @schema_method(input_schema={"previous": float, "value": float}, output_schema={"rising": bool})
    def step(self, previous, value):
        return {"rising": value > previous}
