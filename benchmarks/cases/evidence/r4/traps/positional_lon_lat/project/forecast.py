from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ForecastResult(TypedDict):
    zone: str


class Forecast(GraphBusNode):
    @depends_on("Geocoder.locate")
    @schema_method
    def at(self, latitude: float, longitude: float) -> ForecastResult:
        return {"zone": "north" if latitude > 45 else "south"}
