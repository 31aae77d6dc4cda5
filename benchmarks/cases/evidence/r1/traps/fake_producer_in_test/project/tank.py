from graphbus_core import GraphBusNode, schema_method


class Tank(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"percent": float})
    def level(self):
        return {"percent": 80.0}
