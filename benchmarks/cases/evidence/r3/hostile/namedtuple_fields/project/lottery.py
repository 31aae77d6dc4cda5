from graphbus_core import GraphBusNode, publishes, schema_method


class Lottery(GraphBusNode):
    @publishes("/Lottery/Drawn", {"number": int, "colour": str})
    @schema_method(input_schema={"seed": int}, output_schema={"number": int, "colour": str})
    def draw(self, seed):
        return {"number": seed * 17 % 49, "colour": "red" if seed % 2 else "blue"}
