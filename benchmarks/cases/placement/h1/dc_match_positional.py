# stateful
"""dc_match_positional"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass
class Stats:
    total: int = 0
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.stats.total += amount
        match self.stats:
            case Stats(n):
                return n
        return 0
