from graphbus_core import GraphBusNode, schema_method, subscribe


class Kitchen(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.board = []

    @subscribe("/Kebab/Ordered")
    @schema_method(input_schema={"order_no": int, "dish": str})
    def on_order(self, payload):
        self.board.append(f"#{payload['order_no']} {payload['dish']}")
