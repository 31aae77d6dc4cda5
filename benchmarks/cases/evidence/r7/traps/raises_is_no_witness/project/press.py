from graphbus_core import GraphBusNode, depends_on, schema_method


class Press(GraphBusNode):
    """Prints the small shelf label."""

    @depends_on("Catalogue.article")
    @schema_method(input_schema={"code": str}, output_schema={"bars": int})
    def label(self, code):
        if len(code) != 8:
            raise ValueError(f"{code}: a short code has eight digits")
        return {"bars": 67}
