from graphbus_core import GraphBusNode, schema_method


class Drill(GraphBusNode):
    @schema_method(input_schema={"hole": int}, output_schema={"depth_m": int, "diameter": int, "hole": int})
    def core(self, hole):
        return {"depth_m": 12 * hole, "diameter": 9, "hole": hole}
