from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TideResult(TypedDict):
    height_m: float


class Tide(GraphBusNode):
    @schema_method
    def forecast(self, hour: int) -> TideResult:
        return {"height_m": 2.0 + hour / 10}
