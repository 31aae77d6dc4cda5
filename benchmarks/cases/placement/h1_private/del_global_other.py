# stateful
"""del_global_other"""
from graphbus_core import GraphBusNode, subscribe


FLAG = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FLAG
        FLAG = amount
        n = FLAG
        del FLAG
        return n
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return FLAG
