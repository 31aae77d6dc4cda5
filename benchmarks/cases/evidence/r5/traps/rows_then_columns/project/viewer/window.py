from graphbus_core import GraphBusNode, depends_on, schema_method


class Window(GraphBusNode):
    @depends_on("Image.load")
    @schema_method(input_schema={"size": tuple[int, int]}, output_schema={"title": str})
    def open(self, size):
        width, height = size
        return {"title": "landscape" if width > height else "portrait"}
