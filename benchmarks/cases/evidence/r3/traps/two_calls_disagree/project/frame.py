from typing import NamedTuple

from graphbus_core import GraphBusNode, schema_method


class Size(NamedTuple):
    w: int
    h: int


class Frame(GraphBusNode):
    @schema_method(input_schema={"label": str}, output_schema={"width": int, "height": int})
    def measure(self, label):
        size = Size(*map(int, label.split("x")))
        return {"width": size.w, "height": size.h}
