from graphbus_core import GraphBusNode, depends_on, schema_method


class Panel(GraphBusNode):
    @depends_on("Battery.status")
    @schema_method
    def show(self, percent: float, cycles: int = 0) -> dict:
        return {"text": f"{percent:.0f} %"}
