from graphbus_core import GraphBusNode, schema_method


class Meter(GraphBusNode):
    SYSTEM_PROMPT = "I am the electricity meter in the cellar."

    def __init__(self, pulses=5_120_000):
        super().__init__()
        self.pulses = pulses

    def tick(self, pulses):
        self.pulses += pulses

    @schema_method(input_schema={}, output_schema={"total_kwh": float, "serial": str})
    def read(self):
        return {"total_kwh": self.pulses / 1000, "serial": "EM-77"}
