# stateful
"""dc_order_own_eq"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(order=True, eq=True)
class Stats:
    _total: int = 0
    def __eq__(self, other: object) -> bool:
        return self is other
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        self._stats._total += amount
        return self._stats < Stats(4)
