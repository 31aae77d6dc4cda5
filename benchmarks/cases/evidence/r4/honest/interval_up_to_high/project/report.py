from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ReportResult(TypedDict):
    text: str


class Report(GraphBusNode):
    @depends_on("Metric.measure")
    @schema_method
    def line(self, value: float, score_low: float, score_up: float) -> ReportResult:
        return {"text": f"{value:.1f} [{score_low}, {score_up}]"}
