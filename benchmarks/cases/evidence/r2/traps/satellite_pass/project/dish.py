from graphbus_core import GraphBusNode, depends_on, schema_method


class Dish(GraphBusNode):
    """Bearing from the north, eastwards."""

    @depends_on("Tracker.locate")
    @schema_method(input_schema={"bearing": float}, output_schema={"motor": str})
    def turn(self, bearing):
        return {"motor": f"to {bearing:g}"}
