from graphbus_core import GraphBusNode, depends_on, schema_method

ROWS = [("a", 1), ("b", 2)]


class Writer(GraphBusNode):
    @depends_on("Dialect.detect")
    @schema_method(input_schema={"line_terminator": str, "sep": str}, output_schema={"text": str})
    def render(self, line_terminator, sep):
        return {"text": "".join(sep.join(map(str, row)) + line_terminator for row in ROWS)}
