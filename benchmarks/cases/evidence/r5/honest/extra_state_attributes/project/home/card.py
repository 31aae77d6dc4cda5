from graphbus_core import GraphBusNode, depends_on, schema_method


class Card(GraphBusNode):
    @depends_on("Entity.snapshot")
    @schema_method(
        input_schema={"state": str, "device_state_attributes": dict},
        output_schema={"lines": list},
    )
    def show(self, state, device_state_attributes):
        return {"lines": [state, *(f"{k}={v}" for k, v in sorted(device_state_attributes.items()))]}
