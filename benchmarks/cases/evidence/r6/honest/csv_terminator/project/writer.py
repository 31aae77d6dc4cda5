from graphbus_core import GraphBusNode, depends_on, schema_method

ROWS = [("a", "b"), (1, 2)]


class TableWriter(GraphBusNode):
    rows = ROWS

    def line(self, row, sep):
        cells = (str(cell) for cell in row)
        return sep.join(f'"{cell}"' if sep in cell else cell for cell in cells)

    @depends_on("Profile.pick")
    @schema_method(input_schema={"sep": str, "line_terminator": str}, output_schema={"text": str})
    def dump(self, sep, line_terminator):
        lines = [self.line(row, sep) for row in self.rows]
        return {"text": line_terminator.join(lines) + line_terminator}
