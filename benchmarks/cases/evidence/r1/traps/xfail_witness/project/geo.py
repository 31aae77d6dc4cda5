from graphbus_core import GraphBusNode, depends_on, schema_method


class Gps(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"lat": float})
    def where(self):
        return {"lat": 53.5}


class Map(GraphBusNode):
    @depends_on("Gps.where")
    @schema_method(input_schema={"lon": float}, output_schema={"tile_x": int})
    def pin(self, lon):
        return {"tile_x": int((lon + 180) // 10)}
