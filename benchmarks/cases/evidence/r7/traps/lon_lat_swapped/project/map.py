from graphbus_core import GraphBusNode, depends_on, schema_method


class Map(GraphBusNode):
    @depends_on("Geocoder.locate")
    @schema_method(input_schema={"position": list[float]}, output_schema={"url": str})
    def pin(self, position):
        lat, lon = position
        return {"url": f"https://map.example/@{lat},{lon},12z"}
