from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, schema_method


class Slip(TypedDict):
    gross: int
    net: NotRequired[int]


class Payslip(GraphBusNode):
    @schema_method
    def compute(self, hours: int, rate: int, taxed: bool) -> Slip:
        slip: Slip = {"gross": hours * rate}
        if taxed:
            slip["net"] = slip["gross"] * 4 // 5
        return slip
