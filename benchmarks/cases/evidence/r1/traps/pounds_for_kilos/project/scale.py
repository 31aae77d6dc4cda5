from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Weighed(TypedDict):
    awb: str
    weight_lb: float


class Scale(GraphBusNode):
    """The scale at dock 4 is American."""

    @schema_method
    def weigh(self, awb: str) -> Weighed:
        return {"awb": awb, "weight_lb": 2204.6}
