# stateful
"""dc_repr_field_false_off"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass
class Stats:
    _total: int = 0
    def __format__(self, spec: str) -> str:
        return "stats"
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._stats._total += amount
        print(self._stats)
        return "ok"
