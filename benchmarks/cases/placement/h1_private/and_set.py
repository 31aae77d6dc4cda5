# stateful
"""and_set"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
def put(n: int) -> bool:
    global _LAST
    _LAST = n
    return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        amount < 5 and put(amount)
        return _LAST
