import math

from graphbus_core import GraphBusNode, depends_on, schema_method

RULES = {"lower": math.floor, "higher": math.ceil, "linear": float}


class Stats(GraphBusNode):
    values = [1, 2, 3, 9]

    @depends_on("Settings.section")
    @schema_method(input_schema={"interpolation": str}, output_schema={"p50": float})
    def percentile(self, interpolation):
        at = RULES[interpolation](0.5 * (len(self.values) - 1))
        low, high = self.values[math.floor(at)], self.values[math.ceil(at)]
        return {"p50": low + (high - low) * (at % 1)}
