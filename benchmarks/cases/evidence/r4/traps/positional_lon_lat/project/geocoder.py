from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class GeocoderResult(TypedDict):
    lon: float
    lat: float


class Geocoder(GraphBusNode):
    @schema_method
    def locate(self, place: str) -> GeocoderResult:
        return {"lon": 13.4, "lat": 52.5}
