# stateful
"""locals_closure"""
from graphbus_core import GraphBusNode, subscribe


def make():
    _rows: list = []
    def put(n: int) -> int:
        rows.append(n)
        return len(locals()["ro" + "ws"])
    return put
PUT = make()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return PUT(amount)
