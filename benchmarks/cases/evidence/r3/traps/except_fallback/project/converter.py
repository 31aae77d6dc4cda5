from graphbus_core import GraphBusNode, depends_on, schema_method


class Converter(GraphBusNode):
    """100 euros, given how many units one euro buys."""

    @depends_on("Fx.fetch")
    @schema_method(input_schema={"factor": float}, output_schema={"amount": float})
    def convert(self, factor):
        return {"amount": 100 * factor}
