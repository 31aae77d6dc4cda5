from graphbus_core import GraphBusNode, publishes, schema_method


class Sampler(GraphBusNode):
    @publishes("/Lab/Sampled", {"sample": str, "conc": float, "volume": float})
    @schema_method(input_schema={"sample": str}, output_schema={"sample": str, "conc": float, "volume": float})
    def sample(self, sample):
        return {"sample": sample, "conc": len(sample) / 4, "volume": 5.0}
