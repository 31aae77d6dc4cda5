from graphbus_core import GraphBusNode, depends_on, schema_method


class Terrain(GraphBusNode):
    ridge = 2210.0

    @depends_on("Altimeter.read")
    @schema_method(input_schema={"height": float}, output_schema={"above": float})
    def clearance(self, height):
        return {"above": round(height - self.ridge, 1)}
