from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class IrrigationResult(TypedDict):
    minutes: int


class Irrigation(GraphBusNode):
    @depends_on("Weather.now")
    @schema_method
    def plan(self, place: str, soil_temp: float) -> IrrigationResult:
        return {"minutes": 30 if soil_temp > 25 else 10}
