from graphbus_core import GraphBusNode, schema_method


class Thermometer(GraphBusNode):
    def __init__(self, raw=213):
        self.raw = raw

    @schema_method(input_schema={}, output_schema={"native_value": float, "unit": str})
    def update(self):
        return {"native_value": self.raw / 10, "unit": "°C"}
