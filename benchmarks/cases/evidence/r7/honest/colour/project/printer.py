from graphbus_core import GraphBusNode, depends_on, schema_method


class Printer(GraphBusNode):
    @depends_on("Swatch.pick")
    @schema_method(input_schema={"color": str}, output_schema={"cartridge": str})
    def ink(self, color):
        return {"cartridge": color.lower()}
