from graphbus_core import GraphBusNode, depends_on, schema_method


class Sheet(GraphBusNode):
    @depends_on("Gauge.level")
    @schema_method
    def enter(self, feet: float) -> dict[str, str]:
        return {"line": f"{feet:.1f} ft"}
