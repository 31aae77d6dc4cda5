# stateful
"""dc_repr_plain"""
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
    def on_event(self, amount: int) -> str:
        self.stats.total += amount
        return f"{self.stats!r}"
