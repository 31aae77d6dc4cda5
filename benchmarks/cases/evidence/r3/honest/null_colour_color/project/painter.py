from graphbus_core import GraphBusNode, depends_on, schema_method


class Painter(GraphBusNode):
    @depends_on("Palette.choose")
    @schema_method(input_schema={"color": str}, output_schema={"css": str})
    def paint(self, color):
        return {"css": "p { color: %s }" % color}
