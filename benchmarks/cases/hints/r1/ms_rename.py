"""Names of the wire: rename for the class, field(name=...) for one field."""

from msgspec import Struct, field

from graphbus_core import GraphBusNode, subscribe


class Metric(Struct, rename="camel"):
    metric_name: str
    sample_count: int
    unit_of_measure: str = field(name="unit", default="s")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: dict[str, Metric]) -> None:
        self.metrics = payload


GOOD = [
    {},
    {"a": {"metricName": "x", "sampleCount": 1}},
    {"a": {"metricName": "x", "sampleCount": 1, "unit": "ms"}, "b": {"metricName": "", "sampleCount": 0}},
]
BAD = [
    {"a": {"metric_name": "x", "sample_count": 1}},
    {"metricName": "x", "sampleCount": 1},
    {"a": {"metricName": "x", "sampleCount": 1, "unit": None}},
    {"a": {"metricName": "x"}},
    [{"metricName": "x", "sampleCount": 1}],
]
