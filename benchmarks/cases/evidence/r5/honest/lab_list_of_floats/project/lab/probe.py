from graphbus_core import GraphBusNode, schema_method


class Probe(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"readings": list[float], "errors": list[int]})
    def sample(self, n):
        return {"readings": [0.5 * i for i in range(1, n + 1)], "errors": [0] * n}
