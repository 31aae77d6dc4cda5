from graphbus_core import GraphBusNode, schema_method


class Guest(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"height_cm": int, "level": str})
    def measure(self, name):
        return {"height_cm": 180, "level": "beginner"}
