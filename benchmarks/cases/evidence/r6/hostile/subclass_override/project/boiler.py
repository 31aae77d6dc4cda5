from graphbus_core import GraphBusNode, depends_on, schema_method


class Boiler(GraphBusNode):
    per_degree = 10

    def __init__(self):
        super().__init__()
        self.burned = 0

    @depends_on("Thermostat.report")
    @schema_method(input_schema={"room": float, "target": float}, output_schema={"minutes": int})
    def heat(self, room, target):
        minutes = round(max(0.0, target - room) * self.per_degree)
        self.burned += minutes
        return {"minutes": minutes}
