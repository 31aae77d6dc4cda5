from graphbus_core import GraphBusNode, schema_method


class Demand(GraphBusNode):
    @schema_method(input_schema={"part": str}, output_schema={"flow": float, "peak": float})
    def forecast(self, part):
        return {"flow": 70.0, "peak": 95.0}
