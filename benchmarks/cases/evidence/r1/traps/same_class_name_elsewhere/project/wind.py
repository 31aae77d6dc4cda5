from graphbus_core import GraphBusNode, schema_method


class Wind(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"knots": float})
    def measure(self):
        return {"knots": 30.0}
