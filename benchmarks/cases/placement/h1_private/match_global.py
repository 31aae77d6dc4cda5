# stateful
"""match_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _LAST
        match amount:
            case 1 | 2:
                _LAST = amount
            case 3:
                _LAST = 3
        return _LAST
