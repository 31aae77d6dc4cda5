from graphbus_core import GraphBusNode, depends_on, schema_method


class Nozzle(GraphBusNode):
    tank_ml = 100.0

    def __init__(self):
        super().__init__()
        self.used = 0.0

    @depends_on("Mixer.blend")
    @schema_method(input_schema={"share": float}, output_schema={"ml": float})
    def spray(self, share):
        ml = self.tank_ml * share
        self.used += ml
        return {"ml": ml}
