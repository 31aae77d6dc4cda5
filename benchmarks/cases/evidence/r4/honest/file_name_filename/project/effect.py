from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class EffectResult(TypedDict):
    table: str


class Effect(GraphBusNode):
    @depends_on("Package.locate")
    @schema_method
    def load(self, file_name: str) -> EffectResult:
        return {"table": file_name.removesuffix(".dat")}
