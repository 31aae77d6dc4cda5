from graphbus_core import GraphBusNode, schema_method


class Turbine(GraphBusNode):
    @schema_method(input_schema={"hour": int}, output_schema={"hour": int, "energy": float, "loss": float})
    def hour(self, hour):
        return {"hour": hour, "energy": 2.5, "loss": 0.1}
