# stateful
"""map_vars"""
from graphbus_core import GraphBusNode, subscribe


class Rec:
    def __init__(self) -> None:
        self._total = 0
REC = Rec()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        REC._total += amount
        return str(list(map(vars, [REC])))
