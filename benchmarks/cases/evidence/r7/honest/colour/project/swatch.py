from graphbus_core import GraphBusNode, schema_method


class Swatch(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"colour": str, "coating": str})
    def pick(self, name):
        return {"colour": {"sky": "#87CEEB"}[name], "coating": "matt"}
