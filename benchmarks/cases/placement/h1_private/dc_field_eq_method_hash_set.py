# stateful
"""dc_field_eq_method_hash_set"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass
class Stats:
    _total: int = 0
    def __hash__(self) -> int:
        return 1
GOAL = {Stats(3)}
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        self._stats._total += amount
        return self._stats in GOAL
