from graphbus_core import GraphBusNode, depends_on, schema_method


class Gauge(GraphBusNode):
    VALUES = (3.0, 9.0, 4.0)

    @schema_method(input_schema={"hour": int}, output_schema={"flow": float})
    def read(self, hour):
        return {"flow": self.VALUES[hour]}


class Dam(GraphBusNode):
    @depends_on("Gauge.read")
    @schema_method(input_schema={"peak_flow": float}, output_schema={"gates": int})
    def release(self, peak_flow):
        return {"gates": int(peak_flow // 3)}
