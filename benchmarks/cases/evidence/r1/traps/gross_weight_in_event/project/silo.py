from graphbus_core import GraphBusNode, schema_method, subscribe


class Silo(GraphBusNode):
    def __init__(self):
        self.grain = 0

    @subscribe("/Truck/Weighed")
    @schema_method(input_schema={"plate": str, "net_kg": int})
    def on_weighed(self, payload):
        self.grain += payload["net_kg"]
