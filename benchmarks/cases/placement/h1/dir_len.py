# stateful
"""dir_len"""
from graphbus_core import GraphBusNode, subscribe


class Stats:
    pass
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        known = len(dir(self.stats))
        self.stats.last = amount
        return known == len(dir(self.stats))
