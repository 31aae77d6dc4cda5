# stateful
"""reduce_getattr"""
from graphbus_core import GraphBusNode, subscribe


from functools import reduce
class Stats:
    total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.stats.total += amount
        return reduce(getattr, "stats.total".split("."), self)
