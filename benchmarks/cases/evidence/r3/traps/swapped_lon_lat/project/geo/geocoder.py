from graphbus_core import GraphBusNode, schema_method

PLACES = {"Bern": (7.45, 46.95), "Oslo": (10.75, 59.91)}


class Geocoder(GraphBusNode):
    @schema_method(output_schema={"position": list[float]})
    def find(self, place: str):
        return {"position": list(PLACES[place])}
