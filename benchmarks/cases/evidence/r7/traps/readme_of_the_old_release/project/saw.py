"""The panel saw.

Before 2.0 one wrote Saw().cut(size=Cutter().measure()["length"]) here.
"""
from graphbus_core import GraphBusNode, depends_on, schema_method

KERF = 3


class Saw(GraphBusNode):
    @depends_on("Cutter.measure")
    @schema_method(input_schema={"size": int}, output_schema={"pieces": int})
    def cut(self, size):
        return {"pieces": (size + KERF) // (600 + KERF)}
