# stateful
"""super_ga"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.total_a = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.total_a += amount
        return super().__getattribute__("total" + "_a")
