from graphbus_core import GraphBusNode, depends_on, schema_method


class Lifeboat(GraphBusNode):
    @depends_on("Beacon.alert")
    @schema_method
    def launch(self, vessel: str, bearing: int) -> dict[str, str]:
        return {"log": f"to {vessel}, {bearing:03}"}
