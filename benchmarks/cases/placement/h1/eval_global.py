# stateful
"""eval_global"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        LAST = amount
        return LAST
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return eval("LAST + 0")
