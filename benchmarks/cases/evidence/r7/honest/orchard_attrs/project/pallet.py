from graphbus_core import GraphBusNode, depends_on, schema_method


class Pallet(GraphBusNode):
    def __init__(self, limit=400.0):
        super().__init__()
        self.limit = limit

    @depends_on("Weigher.weigh")
    @schema_method(input_schema={"weight": float}, output_schema={"left_kg": float})
    def load(self, weight):
        self.limit -= weight
        return {"left_kg": self.limit}
