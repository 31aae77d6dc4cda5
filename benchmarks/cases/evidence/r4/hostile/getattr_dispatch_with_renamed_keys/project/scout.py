from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ScoutResult(TypedDict):
    spot: str
    view: str


class Scout(GraphBusNode):
    @schema_method
    def find(self, area: str) -> ScoutResult:
        return {"spot": area + "-hill", "view": "sea"}
