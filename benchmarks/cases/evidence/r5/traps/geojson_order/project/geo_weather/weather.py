from graphbus_core import GraphBusNode, depends_on, schema_method


class Weather(GraphBusNode):
    @depends_on("Geocoder.locate")
    @schema_method(input_schema={"position": list[float]}, output_schema={"zone": str})
    def at(self, position):
        lat, _lon = position
        return {"zone": "tropic" if abs(lat) < 23.4 else "temperate"}
