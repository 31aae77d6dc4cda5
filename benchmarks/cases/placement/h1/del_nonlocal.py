# stateful
"""del_nonlocal"""
from graphbus_core import GraphBusNode, subscribe


def make():
    n = 0
    def f(x: int) -> int:
        nonlocal n
        try:
            del n
        except NameError:
            return -1
        return x
    return f
F = make()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return F(amount)
