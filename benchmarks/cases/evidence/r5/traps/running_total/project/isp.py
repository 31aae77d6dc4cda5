from graphbus_core import GraphBusNode, depends_on, schema_method


class Router(GraphBusNode):
    """rx_bytes is a counter that only a restart sets back."""

    READINGS = [1000, 1500, 4500]

    @schema_method(input_schema={"hour": int}, output_schema={"rx_bytes": int})
    def read(self, hour):
        return {"rx_bytes": self.READINGS[hour]}


class Bill(GraphBusNode):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.sum = 0

    @depends_on("Router.read")
    @schema_method(input_schema={"bytes": int}, output_schema={"sum": int})
    def add(self, bytes):
        self.sum += bytes
        return {"sum": self.sum}
