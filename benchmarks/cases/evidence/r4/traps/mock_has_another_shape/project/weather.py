from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class WeatherResult(TypedDict):
    place: str
    temp: float


class Weather(GraphBusNode):
    @schema_method
    def now(self, place: str) -> WeatherResult:
        return {"place": place, "temp": 31.0}
