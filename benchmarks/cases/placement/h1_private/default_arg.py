# stateful
"""default_arg"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return keep(amount)
def keep(n: int, rows: list = []) -> int:
    rows.append(n)
    return len(keep.__defaults__[0])
