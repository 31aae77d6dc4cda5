from graphbus_core import GraphBusNode, depends_on, schema_method


class Brush(GraphBusNode):
    @depends_on("Palette.mix")
    @schema_method(input_schema={"color": str}, output_schema={"css": str})
    def paint(self, color):
        return {"css": f"background: {color};"}
