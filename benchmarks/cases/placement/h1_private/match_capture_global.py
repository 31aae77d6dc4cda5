# stateful
"""match_capture_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST: object = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _LAST
        before = _LAST
        match amount:
            case int() as _LAST:
                pass
        return before
