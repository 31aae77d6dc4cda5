# stateful
"""copy_repr"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
import copy
@dataclass
class Stats:
    _total: int = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._stats._total += amount
        return str(copy.copy(self._stats))
