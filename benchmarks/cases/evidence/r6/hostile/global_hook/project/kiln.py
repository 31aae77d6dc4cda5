from graphbus_core import GraphBusNode, schema_method


class Kiln(GraphBusNode):
    """Reads a thermocouple through a table, between its lines linearly."""

    table = ((0.0, 20.0), (5.0, 520.0), (10.0, 1070.0), (14.0, 1400.0))

    def __init__(self, millivolt=10.5):
        super().__init__()
        self.millivolt = millivolt

    @schema_method(input_schema={}, output_schema={"temp": float, "millivolt": float})
    def read(self):
        for (v0, t0), (v1, t1) in zip(self.table, self.table[1:]):
            if v0 <= self.millivolt <= v1:
                part = (self.millivolt - v0) / (v1 - v0)
                return {"temp": round(t0 + part * (t1 - t0), 1), "millivolt": self.millivolt}
        raise ValueError(self.millivolt)
