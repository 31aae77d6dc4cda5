from graphbus_core import GraphBusNode, schema_method


class Palette(GraphBusNode):
    @schema_method(input_schema={"mood": str}, output_schema={"colour": str})
    def choose(self, mood):
        return {"colour": {"calm": "#9cf", "angry": "#f33"}.get(mood, "#ccc")}
