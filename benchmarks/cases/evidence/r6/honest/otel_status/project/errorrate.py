from graphbus_core import GraphBusNode, depends_on, schema_method


class ErrorRate(GraphBusNode):
    SYSTEM_PROMPT = "I know the share of server errors."

    def __init__(self):
        super().__init__()
        self.seen = self.failed = 0

    @depends_on("Collector.span")
    @schema_method(input_schema={"status_code": int}, output_schema={"rate": float})
    def count(self, status_code):
        self.seen += 1
        self.failed += status_code // 100 == 5
        return {"rate": self.failed / self.seen}
