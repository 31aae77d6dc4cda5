from graphbus_core import GraphBusNode, depends_on, schema_method


class Projector(GraphBusNode):
    @depends_on("Cinema.screening")
    @schema_method(input_schema={"screen": int}, output_schema={"lamp": str})
    def start(self, screen):
        return {"lamp": f"L{screen} on"}
