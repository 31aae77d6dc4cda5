from graphbus_core import GraphBusNode, schema_method


class Throttle(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"velocity": int, "target": int})
    def read(self):
        return {"velocity": 100, "target": 120}
