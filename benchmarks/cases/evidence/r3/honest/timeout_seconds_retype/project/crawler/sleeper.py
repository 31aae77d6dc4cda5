from graphbus_core import GraphBusNode, depends_on, schema_method


class Sleeper(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.slept = []

    @depends_on("Limiter.wait_for")
    @schema_method(input_schema={"delay": int}, output_schema={"text": str})
    def sleep(self, delay):
        self.slept.append(delay)
        return {"text": f"{delay:.2f} s"}
