# stateful
"""dc_hash_own_eq"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(unsafe_hash=True)
class Stats:
    _total: int = 0
    def __eq__(self, other: object) -> bool:
        return self is other
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._stats._total += amount
        return hash(self._stats) % 1000
