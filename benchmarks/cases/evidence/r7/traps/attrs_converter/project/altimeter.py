from graphbus_core import GraphBusNode, schema_method


class Altimeter(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"altitude": float})
    def read(self):
        return {"altitude": 8200.0}
