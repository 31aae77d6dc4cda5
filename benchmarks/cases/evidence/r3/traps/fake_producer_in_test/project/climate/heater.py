from graphbus_core import GraphBusNode, depends_on, schema_method


class Heater(GraphBusNode):
    @depends_on("Thermostat.read")
    @schema_method(output_schema={"on": bool})
    def set(self, fahrenheit: float):
        return {"on": fahrenheit < 68.0}
