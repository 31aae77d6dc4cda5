# stateful
"""vars_len"""
from graphbus_core import GraphBusNode, subscribe


class Stats:
    pass
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = len(vars(self._stats))
        self._stats._last = amount
        return known
