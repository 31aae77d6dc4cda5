from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Trace(TypedDict):
    peak: float


class Station(GraphBusNode):
    @schema_method
    def trace(self, hour: int) -> Trace:
        return {"peak": -100.0 if hour % 2 else 10.0}


class Richter(GraphBusNode):
    @depends_on("Station.trace")
    @schema_method
    def rate(self, amplitude: float) -> dict[str, str]:
        return {"scale": "strong" if amplitude > 50 else "weak"}
