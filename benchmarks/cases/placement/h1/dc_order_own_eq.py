# stateful
"""dc_order_own_eq"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(order=True, eq=True)
class Stats:
    total: int = 0
    def __eq__(self, other: object) -> bool:
        return self is other
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.stats = Stats()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        self.stats.total += amount
        return self.stats < Stats(4)
