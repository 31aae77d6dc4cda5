# stateful
"""pickle_self_part"""
from graphbus_core import GraphBusNode, subscribe


import pickle
class Stats:
    _total = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._stats._total += amount
        return len(pickle.dumps(self._stats)) + sum(pickle.dumps(self._stats))
