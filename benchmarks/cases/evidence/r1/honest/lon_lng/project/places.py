from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Spot:
    lat: float
    lng: float


class Geocoder(GraphBusNode):
    @schema_method
    def find(self, town: str) -> Spot:
        return Spot(53.5, 10.0)


class Marker(GraphBusNode):
    @depends_on("Geocoder.find")
    @schema_method
    def place(self, lat: float, lon: float) -> dict[str, str]:
        return {"wkt": f"POINT({lon} {lat})"}
