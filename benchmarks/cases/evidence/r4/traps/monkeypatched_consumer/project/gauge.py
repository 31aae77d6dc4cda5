from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class GaugeResult(TypedDict):
    tank: str
    level: float


class Gauge(GraphBusNode):
    @schema_method
    def read(self, tank: str) -> GaugeResult:
        return {"tank": tank, "level": 0.2}
