from graphbus_core import GraphBusNode, depends_on, schema_method


class Antenna(GraphBusNode):
    @depends_on("Tracker.fix")
    @schema_method(input_schema={"azimuth": float}, output_schema={"true_bearing": float})
    def point(self, azimuth):
        return {"true_bearing": azimuth % 360}
