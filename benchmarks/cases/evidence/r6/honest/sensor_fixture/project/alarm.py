from graphbus_core import GraphBusNode, depends_on, schema_method


class Alarm(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.history = []

    @depends_on("Station.sample")
    @schema_method(input_schema={"celsius": float}, output_schema={"state": str})
    def watch(self, celsius):
        self.history.append(celsius)
        if celsius <= 0:
            return {"state": "frost"}
        return {"state": "heat" if celsius >= 35 else "ok"}
