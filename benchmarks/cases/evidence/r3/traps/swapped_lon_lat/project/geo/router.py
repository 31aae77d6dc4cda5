from graphbus_core import GraphBusNode, depends_on, schema_method


class Router(GraphBusNode):
    @depends_on("Geocoder.find")
    @schema_method(output_schema={"start": str})
    def route(self, origin: list[float]):
        lat, lon = origin
        return {"start": f"{lat:.2f}N {lon:.2f}E"}
