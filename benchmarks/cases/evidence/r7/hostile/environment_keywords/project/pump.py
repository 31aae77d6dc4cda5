from graphbus_core import GraphBusNode, depends_on, schema_method


class Pump(GraphBusNode):
    @depends_on("Demand.forecast")
    @schema_method(input_schema={"throughput": float, "head": float}, output_schema={"hz": float})
    def run(self, throughput, head=1.0):
        return {"hz": throughput / 2 * head}
