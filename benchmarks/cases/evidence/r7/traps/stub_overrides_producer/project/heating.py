from graphbus_core import GraphBusNode, depends_on, schema_method


class Heating(GraphBusNode):
    @depends_on("Thermostat.report")
    @schema_method(input_schema={"target": float, "room": str}, output_schema={"flow": float})
    def plan(self, target, room):
        return {"flow": 20 + 1.5 * (target - 10)}
