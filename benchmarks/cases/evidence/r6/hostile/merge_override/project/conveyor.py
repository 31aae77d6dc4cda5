from graphbus_core import GraphBusNode, depends_on, schema_method


class Conveyor(GraphBusNode):
    """The hotter the peak, the slower the belt."""

    slowest, fastest = 40.0, 110.0

    @depends_on("Oven.profile")
    @schema_method(input_schema={"max_temp": int}, output_schema={"cm_min": float})
    def speed(self, max_temp):
        wanted = self.fastest - (max_temp - 178)
        return {"cm_min": max(self.slowest, min(self.fastest, wanted))}
