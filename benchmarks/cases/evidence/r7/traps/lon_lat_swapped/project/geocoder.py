from graphbus_core import GraphBusNode, schema_method


class Geocoder(GraphBusNode):
    """GeoJSON order: longitude, latitude."""

    places = {"Bern": [7.44, 46.95]}

    @schema_method(input_schema={"place": str}, output_schema={"point": list[float]})
    def locate(self, place):
        return {"point": self.places[place]}
