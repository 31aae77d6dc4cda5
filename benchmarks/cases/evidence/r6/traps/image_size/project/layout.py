from graphbus_core import GraphBusNode, depends_on, schema_method


class Layout(GraphBusNode):
    """Fits pictures into a column of the page."""

    column = 800

    @depends_on("Decoder.inspect")
    @schema_method(
        input_schema={"width": int, "height": int},
        output_schema={"box": list, "portrait": bool},
    )
    def place(self, width, height):
        scale = self.column / width
        return {"box": [self.column, round(height * scale)], "portrait": height > width}
