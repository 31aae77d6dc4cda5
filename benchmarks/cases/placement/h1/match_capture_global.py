# stateful
"""match_capture_global"""
from graphbus_core import GraphBusNode, subscribe


LAST: object = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        before = LAST
        match amount:
            case int() as LAST:
                pass
        return before
