# stateful
"""class_vars"""
from graphbus_core import GraphBusNode, subscribe


class Stats:
    pass
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = len(Stats.__dict__)
        Stats.last = amount
        return known
