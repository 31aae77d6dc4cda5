from graphbus_core import GraphBusNode, schema_method


class Sonar(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.t = 0

    @schema_method(input_schema={}, output_schema={"distance": float, "t": int})
    def ping(self):
        self.t += 1
        return {"distance": 100.0 - 3.0 * self.t, "t": self.t}
