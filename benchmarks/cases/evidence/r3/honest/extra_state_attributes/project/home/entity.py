from graphbus_core import GraphBusNode, schema_method


class Entity(GraphBusNode):
    @schema_method(output_schema={"extra_state_attributes": dict[str, int]})
    def state(self, battery: int):
        return {"extra_state_attributes": {"battery": battery, "signal": battery // 2}}
