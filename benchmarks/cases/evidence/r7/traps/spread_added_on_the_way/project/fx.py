from graphbus_core import GraphBusNode, schema_method


class Fx(GraphBusNode):
    @schema_method(input_schema={"currency": str}, output_schema={"bid": float, "ask": float})
    def quote(self, currency):
        return {"bid": 0.9, "ask": 0.92}
