from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FleetResult(TypedDict):
    van: str
    range_km: float


class Fleet(GraphBusNode):
    @schema_method
    def status(self, van: str) -> FleetResult:
        return {"van": van, "range_km": 180.0}
