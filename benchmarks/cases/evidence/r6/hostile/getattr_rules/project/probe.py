from graphbus_core import GraphBusNode, schema_method

DF = "disk 20480 20100"


class Probe(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"size_mb": int, "free_mb": int})
    def sample(self):
        _, size, used = DF.split()
        return {"size_mb": int(size), "free_mb": int(size) - int(used)}
