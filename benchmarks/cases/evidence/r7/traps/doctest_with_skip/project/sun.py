from graphbus_core import GraphBusNode, schema_method


class Sun(GraphBusNode):
    """Azimuth from the south, to the west is positive, as solar engineers count."""

    @schema_method(input_schema={"hour": int}, output_schema={"azimuth": float, "elevation": float})
    def position(self, hour):
        return {"azimuth": 15.0 * (hour - 12), "elevation": 40.0}
