from graphbus_core import GraphBusNode, schema_method, subscribe


class Echo(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.said = []

    @subscribe("/Inbox/New")
    @schema_method(input_schema={"text": str}, description="Says again what the message's text was.")
    def on_message(self, payload):
        self.said.append(payload["text"][::-1])
