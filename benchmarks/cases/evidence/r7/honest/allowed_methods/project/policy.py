from graphbus_core import GraphBusNode, schema_method


class Policy(GraphBusNode):
    def __init__(self, total=3):
        super().__init__()
        self.total = total

    @schema_method(
        input_schema={},
        output_schema={"total": int, "allowed_methods": list[str], "never_retried": list[str]},
    )
    def retry(self):
        return {"total": self.total, "allowed_methods": ["GET", "HEAD"], "never_retried": ["POST"]}
