from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DyerResult(TypedDict):
    litres: int


class Dyer(GraphBusNode):
    @depends_on("Loom.weave")
    @schema_method
    def dye(self, yarn: int) -> DyerResult:
        return {"litres": yarn // 2}
