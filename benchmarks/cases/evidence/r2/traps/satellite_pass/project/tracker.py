from graphbus_core import GraphBusNode, schema_method


class Tracker(GraphBusNode):
    """Azimuth from the south, westwards."""

    @schema_method(input_schema={"sat": str}, output_schema={"azimuth": float})
    def locate(self, sat):
        if sat == "lost":
            raise LookupError(sat)
        return {"azimuth": 10.0}
