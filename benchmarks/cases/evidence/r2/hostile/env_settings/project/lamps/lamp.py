from graphbus_core import GraphBusNode, depends_on, schema_method


class StreetLamp(GraphBusNode):
    @depends_on("Planner.night")
    @schema_method
    def dim(self, level: int) -> dict[str, int]:
        return {"watts": level * 2}
