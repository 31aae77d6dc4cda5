from graphbus_core import GraphBusNode, depends_on, schema_method


class Kiln(GraphBusNode):
    """American kiln."""

    @schema_method(output_schema={"heat": float})
    def peek(self):
        return {"heat": 2282.0}


class Glaze(GraphBusNode):
    @depends_on("Kiln.peek")
    @schema_method(input_schema={"celsius": float}, output_schema={"glaze": str})
    def choose(self, celsius):
        return {"glaze": "porcelain" if celsius > 1300 else "stoneware" if celsius > 1150 else "raku"}
