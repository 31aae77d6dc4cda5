from graphbus_core import GraphBusNode, schema_method


class Tape(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"length": int})
    def measure(self):
        return {"length": 884}
