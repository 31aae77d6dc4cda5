from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class KitchenResult(TypedDict):
    kg: float


class Kitchen(GraphBusNode):
    @depends_on("Census.count")
    @schema_method
    def cook(self, tent: str, portions: int) -> KitchenResult:
        return {"kg": portions * 0.5}
