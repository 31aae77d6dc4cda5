# stateful
"""del_nonlocal_raise"""
from graphbus_core import GraphBusNode, subscribe


def make():
    n = 0
    def f(x: int) -> int:
        nonlocal n
        del n
        return x
    return f
F = make()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return F(amount)
