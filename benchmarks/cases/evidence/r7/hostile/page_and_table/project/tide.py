from graphbus_core import GraphBusNode, schema_method


class Tide(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"height": float, "wave": float})
    def now(self):
        return {"height": 3.25, "wave": 0.5}
