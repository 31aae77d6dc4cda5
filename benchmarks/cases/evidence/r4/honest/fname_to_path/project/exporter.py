from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ExporterResult(TypedDict):
    path: str
    fmt: str


class Exporter(GraphBusNode):
    @schema_method
    def export(self, frame: str) -> ExporterResult:
        return {"path": frame + ".dta", "fmt": "stata"}
