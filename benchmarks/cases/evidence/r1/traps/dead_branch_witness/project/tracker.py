from graphbus_core import GraphBusNode, schema_method


class Tracker(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"heading": float, "variation": float})
    def fix(self):
        """Magnetic heading; add the variation for true north."""
        return {"heading": 80.0, "variation": 12.0}
