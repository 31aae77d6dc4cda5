# stateful
"""getstate"""
from graphbus_core import GraphBusNode, subscribe


class Stats:
    total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.stats.total += amount
        return str(self.stats.__getstate__())
