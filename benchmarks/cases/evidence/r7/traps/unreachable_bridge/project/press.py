from graphbus_core import GraphBusNode, depends_on, schema_method


class Press(GraphBusNode):
    tray = 500

    @depends_on("Spool.job")
    @schema_method(input_schema={"sheets": int}, output_schema={"left": int})
    def run(self, sheets):
        return {"left": self.tray - sheets}
