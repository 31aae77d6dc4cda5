from graphbus_core import GraphBusNode, schema_method


class Palette(GraphBusNode):
    @schema_method(input_schema={"red": int, "blue": int}, output_schema={"label": str, "colour": str})
    def mix(self, red, blue):
        return {"label": "purple-ish", "colour": f"#{red:02x}00{blue:02x}"}
