# stateful
"""del_global"""
from graphbus_core import GraphBusNode, subscribe


FLAG = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FLAG
        del FLAG
        return amount
