from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class HarbourResult(TypedDict):
    ok: bool


class Harbour(GraphBusNode):
    @depends_on("Tide.forecast")
    @schema_method
    def admit(self, depth: float) -> HarbourResult:
        return {"ok": depth > 2.5}
