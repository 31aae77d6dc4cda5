from graphbus_core import GraphBusNode, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"amount": int, "clerk": str})
    def row(self):
        return {"amount": 45, "clerk": "Ida"}
