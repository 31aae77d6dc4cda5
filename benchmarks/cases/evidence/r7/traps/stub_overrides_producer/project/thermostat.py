from graphbus_core import GraphBusNode, schema_method


class Thermostat(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"reading": float, "room": str})
    def report(self):
        return {"reading": 17.5, "room": "hall"}
