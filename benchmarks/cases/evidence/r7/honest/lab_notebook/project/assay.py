from graphbus_core import GraphBusNode, schema_method


class Assay(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"concentration": float, "blank": float})
    def measure(self):
        return {"concentration": 8.0, "blank": 1.5}
