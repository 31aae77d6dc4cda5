from graphbus_core import GraphBusNode, depends_on, schema_method


class Tray(GraphBusNode):
    @schema_method(input_schema={"row": int}, output_schema={"germinated": int, "sown": int})
    def inspect(self, row):
        return {"germinated": 12, "sown": 20}


class Potting(GraphBusNode):
    """Three seedlings go into one pot."""

    @depends_on("Tray.inspect")
    @schema_method(input_schema={"pots": int}, output_schema={"soil_litres": int})
    def plan(self, pots):
        return {"soil_litres": pots * 2}
