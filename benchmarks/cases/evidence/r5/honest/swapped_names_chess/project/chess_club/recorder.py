from graphbus_core import GraphBusNode, depends_on, schema_method


class Recorder(GraphBusNode):
    @depends_on("Pairing.draw")
    @schema_method(input_schema={"black": str, "white": str}, output_schema={"title": str})
    def sheet(self, black, white):
        return {"title": f"{white} - {black}"}
