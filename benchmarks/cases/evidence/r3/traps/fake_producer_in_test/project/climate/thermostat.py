from graphbus_core import GraphBusNode, schema_method


class Thermostat(GraphBusNode):
    """Celsius, as the label on the box says."""

    @schema_method(output_schema={"value": float})
    def read(self, raw: int):
        return {"value": raw / 10}
