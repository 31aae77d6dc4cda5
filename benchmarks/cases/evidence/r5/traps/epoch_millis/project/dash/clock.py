from graphbus_core import GraphBusNode, schema_method


class Clock(GraphBusNode):
    @schema_method(input_schema={"at": int}, output_schema={"ts": int, "drift": float})
    def tick(self, at):
        return {"ts": 1_700_000_000 + at, "drift": 0.1}
