from graphbus_core import GraphBusNode, depends_on, schema_method


class Map(GraphBusNode):
    @schema_method(input_schema={"room": str}, output_schema={"row": int, "col": int})
    def door(self, room):
        return {"row": 4, "col": 4} if room == "hall" else {"row": 2, "col": 7}


class Sprite(GraphBusNode):
    """x runs to the right, y down."""

    @depends_on("Map.door")
    @schema_method(input_schema={"x": int, "y": int}, output_schema={"pixel": tuple[int, int]})
    def place(self, x, y):
        return {"pixel": (x * 16, y * 16)}
