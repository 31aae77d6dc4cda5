from graphbus_core import GraphBusNode, depends_on, schema_method


class Card(GraphBusNode):
    @depends_on("Entity.state")
    @schema_method(output_schema={"rows": list[str]})
    def draw(self, device_state_attributes: dict[str, int]):
        rows = [f"{key}: {value}%" for key, value in sorted(device_state_attributes.items())]
        return {"rows": rows}
