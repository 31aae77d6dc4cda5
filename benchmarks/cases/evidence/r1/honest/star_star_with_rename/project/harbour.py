from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TideRow(TypedDict):
    hour: int
    height_m: float
    surge_m: float


class Tide(GraphBusNode):
    @schema_method
    def table(self) -> TideRow:
        return {"hour": 6, "height_m": 3.1, "surge_m": 0.4}


class Lock(GraphBusNode):
    @depends_on("Tide.table")
    @schema_method
    def plan(self, hour: int, level: float) -> dict[str, str]:
        return {"plan": f"{hour}:00 {'open' if level > 2.0 else 'shut'}"}
