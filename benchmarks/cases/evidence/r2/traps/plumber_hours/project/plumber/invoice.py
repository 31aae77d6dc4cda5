from graphbus_core import GraphBusNode, depends_on, schema_method


class Invoice(GraphBusNode):
    @depends_on("Timer.stop")
    @schema_method
    def write(self, hours: int) -> dict[str, float]:
        return {"euros": hours * 80}
