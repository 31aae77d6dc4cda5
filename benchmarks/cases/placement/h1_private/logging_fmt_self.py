# stateful
"""logging_fmt_self"""
from graphbus_core import GraphBusNode, subscribe


class Rec:
    _total = 0
    def __str__(self) -> str:
        return "r"
REC = Rec()
FMT = "{._total}"
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        REC._total += amount
        return FMT.format(REC)
