# stateful
"""any_set"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
def put(n: int) -> bool:
    global _LAST
    _LAST = n
    return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        any(put(n) for n in range(amount, 5))
        return _LAST
