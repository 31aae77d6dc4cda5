from graphbus_core import GraphBusNode, depends_on, schema_method


class SkiRack(GraphBusNode):
    @depends_on("Guest.measure")
    @schema_method(input_schema={"body_height": int, "level": str}, output_schema={"length": int})
    def pick(self, body_height, level):
        return {"length": body_height - (20 if level == "beginner" else 5)}
