from graphbus_core import GraphBusNode, depends_on, schema_method


class Furnace(GraphBusNode):
    @schema_method(input_schema={"batch": str}, output_schema={"celsius": int})
    def melt(self, batch):
        return {"celsius": 1150}


class Gaffer(GraphBusNode):
    @depends_on("Furnace.melt")
    @schema_method(input_schema={"heat": int}, output_schema={"workable": bool})
    def blow(self, heat):
        return {"workable": 1000 < heat < 1200}
