from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

Pair = tuple[float, float]


class Found(TypedDict):
    position: Pair


class Geocoder(GraphBusNode):
    @schema_method
    def find(self, name: str) -> Found:
        """GeoJSON, as the web service gives it."""
        return {"position": (13.4, 52.5)}


class MapTile(GraphBusNode):
    @depends_on("Geocoder.find")
    @schema_method
    def centre(self, point: Pair) -> dict[str, str]:
        north, east = point
        return {"url": f"/tile?lat={north}&lon={east}"}


if __name__ == "__main__":
    at = Geocoder().find("Berlin")["position"]
    print(MapTile().centre(point=at[::-1])["url"])
