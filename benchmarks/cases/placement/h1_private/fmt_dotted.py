# stateful
"""fmt_dotted"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._total += amount
        return "{0._total}".format(self)
