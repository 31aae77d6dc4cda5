from graphbus_core import GraphBusNode, depends_on, schema_method


class Press(GraphBusNode):
    @depends_on("Orchard.pick")
    @depends_on("Pantry.fetch")
    @schema_method(input_schema={"fruit_kg": float, "days": int}, output_schema={"litres": float, "ready": int})
    def run(self, fruit_kg: float, days: int):
        return {"litres": fruit_kg * 0.6, "ready": days}
