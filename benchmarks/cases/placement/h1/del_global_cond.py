# stateful
"""del_global_cond"""
from graphbus_core import GraphBusNode, subscribe


FLAG = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FLAG
        if amount % 3 == 0:
            FLAG = amount
        else:
            del FLAG
        return amount
