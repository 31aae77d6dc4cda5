from graphbus_core import GraphBusNode, depends_on, schema_method


class Tailor(GraphBusNode):
    """Measures with the coat lying flat."""

    @schema_method(input_schema={"coat": str}, output_schema={"length": int, "half_waist": int})
    def measure(self, coat):
        return {"length": 90, "half_waist": 48}


class Cutter(GraphBusNode):
    @depends_on("Tailor.measure")
    @schema_method(input_schema={"length": int, "waist": int}, output_schema={"cloth": int})
    def cut(self, length, waist):
        return {"cloth": length * (waist + 4)}
