from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ExporterResult(TypedDict):
    csv: str


class Exporter(GraphBusNode):
    @depends_on("Annotator.annotate")
    @schema_method
    def row(self, label: str, confidence: float) -> ExporterResult:
        return {"csv": f"{label},{confidence:.2f}"}
