# stateful
"""match_global"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        match amount:
            case 1 | 2:
                LAST = amount
            case 3:
                LAST = 3
        return LAST
