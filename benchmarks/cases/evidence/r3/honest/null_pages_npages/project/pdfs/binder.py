from graphbus_core import GraphBusNode, depends_on, schema_method


class Binder(GraphBusNode):
    """Binds by the number of pages."""

    @depends_on("Pdf.open_file")
    @schema_method(input_schema={"num_pages": int}, output_schema={"binding": str})
    def bind(self, num_pages):
        return {"binding": "staple" if num_pages < 20 else "glue"}
