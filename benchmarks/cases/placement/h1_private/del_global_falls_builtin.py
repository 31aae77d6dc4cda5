# stateful
"""del_global_falls_builtin"""
from graphbus_core import GraphBusNode, subscribe


max = min
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global max
        n = max(amount, 3)
        max = min
        del max
        return n
