# stateful
"""def_global"""
from graphbus_core import GraphBusNode, subscribe


def last() -> int:
    return 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global last
        before = last()
        def last() -> int:
            return amount
        return before
