from graphbus_core import GraphBusNode, schema_method


class Booth(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"kilos": float, "axles": float})
    def weigh(self):
        return {"kilos": 600.0, "axles": 3.0}
