from graphbus_core import GraphBusNode, schema_method


class Entity(GraphBusNode):
    @schema_method(
        input_schema={"entity_id": str},
        output_schema={"state": str, "capability_attributes": dict, "extra_state_attributes": dict},
    )
    def snapshot(self, entity_id):
        return {
            "state": "on",
            "capability_attributes": {"modes": "eco,boost"},
            "extra_state_attributes": {"filter": "clean", "id": entity_id},
        }
