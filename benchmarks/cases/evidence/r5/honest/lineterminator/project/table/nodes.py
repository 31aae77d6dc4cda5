from graphbus_core import GraphBusNode, depends_on, schema_method
from table.compat import for_writer


class Dialect(GraphBusNode):
    @schema_method(input_schema={"system": str}, output_schema={"delimiter": str, "lineterminator": str})
    def guess(self, system):
        return {"delimiter": ";", "lineterminator": "\r\n" if system == "nt" else "\n"}


class Writer(GraphBusNode):
    ROWS = [["a", "b"], ["c", "d"]]

    @depends_on("Dialect.guess")
    @schema_method(input_schema={"delimiter": str, "line_terminator": str}, output_schema={"text": str})
    def rows(self, delimiter, line_terminator):
        return {"text": line_terminator.join(delimiter.join(row) for row in self.ROWS)}


def export(system):
    return Writer().rows(**for_writer(Dialect().guess(system)))["text"]
