# stateful
"""locals_closure_num"""
from graphbus_core import GraphBusNode, subscribe


def make():
    last = 0
    def put(n: int) -> int:
        nonlocal last
        last += n
        return sum(v for v in locals().values())
    return put
PUT = make()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return PUT(amount)
