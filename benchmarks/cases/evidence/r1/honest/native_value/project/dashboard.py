from graphbus_core import GraphBusNode, depends_on, schema_method


class Dashboard(GraphBusNode):
    @depends_on("Thermometer.update")
    @schema_method(input_schema={"state": float, "unit": str}, output_schema={"tile": str})
    def tile(self, state, unit):
        return {"tile": f"[{state:.1f} {unit}]"}
