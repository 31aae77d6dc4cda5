# stateful
"""del_global_set_try"""
from graphbus_core import GraphBusNode, subscribe


FLAG = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        global FLAG
        try:
            FLAG
            known = True
        except NameError:
            known = False
        FLAG = amount
        del FLAG
        return known
