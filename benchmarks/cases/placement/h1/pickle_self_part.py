# stateful
"""pickle_self_part"""
from graphbus_core import GraphBusNode, subscribe


import pickle
class Stats:
    total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.stats.total += amount
        return len(pickle.dumps(self.stats)) + sum(pickle.dumps(self.stats))
