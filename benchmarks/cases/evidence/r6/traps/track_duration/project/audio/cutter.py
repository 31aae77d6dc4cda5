from graphbus_core import GraphBusNode, depends_on, schema_method


class Cutter(GraphBusNode):
    margin = 100

    @depends_on("Recorder.stop")
    @schema_method(input_schema={"samples": int, "rate": int}, output_schema={"cut": list})
    def trim(self, samples, rate):
        usable = max(0, samples - 2 * self.margin)
        return {"cut": [self.margin, self.margin + usable], "seconds": usable / rate}
