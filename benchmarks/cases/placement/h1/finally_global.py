# stateful
"""finally_global"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global LAST
        try:
            LAST = int(amount)
        finally:
            return LAST
