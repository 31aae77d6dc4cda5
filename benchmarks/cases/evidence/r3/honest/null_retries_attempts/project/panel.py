from graphbus_core import GraphBusNode, schema_method, subscribe


class Panel(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.text = ""

    @subscribe("/Queue/Popped")
    @schema_method(input_schema={"job": str, "retries": int})
    def on_job(self, payload):
        stars = "*" * payload["retries"]
        self.text += f"{payload['job']}{stars}\n"
