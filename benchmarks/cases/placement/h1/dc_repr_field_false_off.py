# stateful
"""dc_repr_field_false_off"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass
class Stats:
    total: int = 0
    def __format__(self, spec: str) -> str:
        return "stats"
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.stats.total += amount
        print(self.stats)
        return "ok"
