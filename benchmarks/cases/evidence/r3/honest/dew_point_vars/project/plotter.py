from graphbus_core import GraphBusNode, depends_on, schema_method


class Plotter(GraphBusNode):
    """Dots, lines, etc."""

    note = "etc"

    @depends_on("Sounding.level")
    @schema_method(output_schema={"row": str, "note": str})
    def point(self, tc: float):
        column = int(tc + 60) // 4
        return {"row": " " * column + "*", "note": self.note}
