from graphbus_core import GraphBusNode, schema_method


class Style(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"stacked": bool, "density": bool})
    def choose(self, name):
        return {"stacked": name == "print", "density": name == "paper"}
