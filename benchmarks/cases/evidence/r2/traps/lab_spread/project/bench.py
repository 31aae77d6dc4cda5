import statistics

from graphbus_core import GraphBusNode, schema_method


class Bench(GraphBusNode):
    @schema_method(input_schema={"runs": int}, output_schema={"mean": float, "spread": float})
    def measure(self, runs):
        xs = [1.0, 5.0] * runs
        return {"mean": statistics.fmean(xs), "spread": statistics.pvariance(xs)}
