from graphbus_core import GraphBusNode, publishes, schema_method


class Gate(GraphBusNode):
    ZONE_HOURS = 2

    @publishes("/Gate/Stamped", {"badge": int, "time": str})
    @schema_method(input_schema={"badge": int, "clock": str}, output_schema={"badge": int, "time": str})
    def stamp(self, badge, clock):
        return {"badge": badge, "time": f"2024-06-02T{clock}"}
