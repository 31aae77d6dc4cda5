# stateful
"""closure_vars"""
from graphbus_core import GraphBusNode, subscribe


import inspect
def make():
    _last = 0
    def put(n: int) -> None:
        nonlocal last
        _last = n
    return put
PUT = make()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        before = inspect.getclosurevars(PUT).nonlocals["la" + "st"]
        PUT(amount)
        return before
