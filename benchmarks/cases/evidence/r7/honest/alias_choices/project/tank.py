from graphbus_core import GraphBusNode, schema_method


class Tank(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"litres": float, "capacity": float})
    def level(self):
        return {"litres": 180.0, "capacity": 900.0}
