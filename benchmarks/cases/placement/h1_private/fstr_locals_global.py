# stateful
"""fstr_locals_global"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._total += amount
        return "{self._total}".format(**locals())
