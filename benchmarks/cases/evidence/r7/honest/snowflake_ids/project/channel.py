from graphbus_core import GraphBusNode, schema_method


class Channel(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.history = [7 << 22, 500 << 22]

    @schema_method(input_schema={}, output_schema={"message_id": int})
    def last(self):
        return {"message_id": self.history[-1]}
