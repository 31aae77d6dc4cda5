# stateful
"""sorted_dc"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(order=True)
class Rec:
    _total: int = 0
    name: str = ""
A, B = Rec(0, "a"), Rec(4, "b")
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        A._total += amount
        return sorted([A, B])[0].name
