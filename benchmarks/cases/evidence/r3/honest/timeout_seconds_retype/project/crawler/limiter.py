from graphbus_core import GraphBusNode, schema_method


class Limiter(GraphBusNode):
    per_second = 4

    @schema_method(output_schema={"delay": float})
    def wait_for(self, waiting: int):
        return {"delay": waiting / self.per_second}
