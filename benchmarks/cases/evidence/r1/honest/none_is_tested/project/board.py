from graphbus_core import GraphBusNode, depends_on, schema_method


class Board(GraphBusNode):
    @depends_on("Stops.get")
    @schema_method
    def line(self, no: int, name: str) -> dict[str, str]:
        return {"line": f"{no:03d} {name}" if name else f"{no:03d} (stop {no})"}
