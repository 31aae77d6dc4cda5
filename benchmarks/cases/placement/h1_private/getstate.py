# stateful
"""getstate"""
from graphbus_core import GraphBusNode, subscribe


class Stats:
    _total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._stats._total += amount
        return str(self._stats.__getstate__())
