from graphbus_core import GraphBusNode, depends_on, schema_method


class Freezer(GraphBusNode):
    @depends_on("Probe.sample")
    @schema_method(input_schema={"temp_f": float}, output_schema={"alarm": bool})
    def alarm(self, temp_f):
        return {"alarm": temp_f > 0.0}
