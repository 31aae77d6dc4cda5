# stateful
"""dc_bool_then_eq"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass
class Stats:
    total: int = 0
    def __bool__(self) -> bool:
        return True
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        self.stats.total += amount
        return self.stats == Stats(3)
