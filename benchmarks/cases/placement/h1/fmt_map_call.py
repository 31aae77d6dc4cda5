# stateful
"""fmt_map_call"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.total += amount
        return next(map("{0.total}".format, [self]))
