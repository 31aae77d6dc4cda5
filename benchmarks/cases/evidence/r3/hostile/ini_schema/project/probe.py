from graphbus_core import GraphBusNode, publishes, schema_method


class Probe(GraphBusNode):
    @publishes("/Cellar/Sensed", {"humidity": int, "celsius": int})
    @schema_method(input_schema={"raw": int}, output_schema={"humidity": int, "celsius": int})
    def sense(self, raw):
        return {"humidity": raw >> 8, "celsius": raw & 255}
