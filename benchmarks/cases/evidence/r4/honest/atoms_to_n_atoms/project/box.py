from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BoxResult(TypedDict):
    side: float


class Box(GraphBusNode):
    @depends_on("Topology.read")
    @schema_method
    def volume(self, atoms: int, spacing: float = 2.0) -> BoxResult:
        return {"side": atoms * spacing}
