from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PumpResult(TypedDict):
    on: bool


class Pump(GraphBusNode):
    @depends_on("Gauge.read")
    @schema_method
    def run(self, tank: str, target: float) -> PumpResult:
        return {"on": target > 0.5}
