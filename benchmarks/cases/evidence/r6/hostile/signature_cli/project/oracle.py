import math
from statistics import quantiles

from graphbus_core import GraphBusNode, schema_method

HISTORY = {"search": [4, 6, 9, 10, 14, 8, 7], "login": [2, 3, 2, 5]}


class Oracle(GraphBusNode):
    """Says how long things took before."""

    @schema_method(
        input_schema={"kind": str},
        output_schema={"kind": str, "p50_days": int, "p80_days": int},
    )
    def estimate(self, kind):
        tenths = quantiles(HISTORY[kind], n=10, method="inclusive")
        return {"kind": kind, "p50_days": math.ceil(tenths[4]), "p80_days": math.ceil(tenths[7]) + 1}
