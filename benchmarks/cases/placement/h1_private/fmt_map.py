# stateful
"""fmt_map"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._total += amount
        return "{me._total}".format_map({"me": self})
