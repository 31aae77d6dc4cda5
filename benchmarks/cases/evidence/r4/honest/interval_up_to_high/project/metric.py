from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class MetricResult(TypedDict):
    value: float
    score_low: float
    score_high: float


class Metric(GraphBusNode):
    @schema_method
    def measure(self, xs: list[float]) -> MetricResult:
        return {"value": sum(xs) / len(xs), "score_low": min(xs), "score_high": max(xs)}
