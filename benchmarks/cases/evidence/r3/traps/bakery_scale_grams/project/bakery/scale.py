from graphbus_core import GraphBusNode, schema_method


class Scale(GraphBusNode):
    """Sits below the flour bin."""

    def __init__(self, tare=0.2):
        super().__init__()
        self.tare = tare

    @schema_method(output_schema={"kg": float})
    def weigh(self, load: float):
        return {"kg": round(load - self.tare, 3)}
