from graphbus_core import GraphBusNode, schema_method


class Probe(GraphBusNode):
    @schema_method(input_schema={"bits": int, "seconds": float}, output_schema={"rate_Mbps": float})
    def measure(self, bits, seconds):
        return {"rate_Mbps": bits / seconds / 1e6}
