# stateful
"""max_key"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass
@dataclass(order=True)
class Rec:
    total: int = 0
RECS = [Rec(), Rec()]
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        RECS[0].total += amount
        return max(RECS) is RECS[0] and RECS.index(Rec(3)) == 0 if amount > 9 else Rec(3) in RECS
