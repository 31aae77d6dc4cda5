# stateful
"""copy_repr"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
import copy
@dataclass
class Stats:
    total: int = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.stats.total += amount
        return str(copy.copy(self.stats))
