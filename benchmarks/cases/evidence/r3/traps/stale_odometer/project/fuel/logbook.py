from graphbus_core import GraphBusNode, depends_on, schema_method


class Logbook(GraphBusNode):
    @depends_on("Pump.fill")
    @schema_method(output_schema={"entry": str})
    def enter(self, volume: float):
        return {"entry": f"{volume:.2f} l at 15 C"}
