from graphbus_core import GraphBusNode, depends_on, schema_method


class Ramp(GraphBusNode):
    @depends_on("Ferry.arrive")
    @schema_method(input_schema={"vehicles": int}, output_schema={"lanes": int})
    def lower(self, vehicles):
        return {"lanes": -(-vehicles // 20)}
