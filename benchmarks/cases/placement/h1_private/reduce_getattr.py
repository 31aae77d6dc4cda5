# stateful
"""reduce_getattr"""
from graphbus_core import GraphBusNode, subscribe


from functools import reduce
class Stats:
    _total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._stats._total += amount
        return reduce(getattr, "stats._total".split("."), self)
