from graphbus_core import GraphBusNode, depends_on, schema_method


class Plot(GraphBusNode):
    @depends_on("Probe.sample")
    @schema_method(input_schema={"readings": list[int]}, output_schema={"heights": list[float]})
    def scale(self, readings: list[int]):
        top = max(readings)
        return {"heights": [r / top for r in readings]}
