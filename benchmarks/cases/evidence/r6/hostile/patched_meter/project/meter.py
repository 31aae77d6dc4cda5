from graphbus_core import GraphBusNode, schema_method


class Meter(GraphBusNode):
    """The plain meter: counts pulses, 1000 for one kWh."""

    def __init__(self, pulses=90000):
        super().__init__()
        self.pulses = pulses

    @schema_method(input_schema={}, output_schema={"kwh": float, "pulses": int})
    def read(self):
        return {"kwh": self.pulses / 1000, "pulses": self.pulses}
