# stateful
"""dc_hash_own_eq"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(unsafe_hash=True)
class Stats:
    total: int = 0
    def __eq__(self, other: object) -> bool:
        return self is other
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.stats.total += amount
        return hash(self.stats) % 1000
