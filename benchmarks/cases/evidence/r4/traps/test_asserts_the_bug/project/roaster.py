from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class RoasterResult(TypedDict):
    batch: str
    surface_c: float


class Roaster(GraphBusNode):
    @schema_method
    def roast(self, batch: str) -> RoasterResult:
        return {"batch": batch, "surface_c": 74.0}
