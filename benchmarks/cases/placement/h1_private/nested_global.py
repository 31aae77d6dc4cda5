# stateful
"""nested_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
def keep(n: int):
    def inner() -> None:
        global _LAST
        _LAST = n
    return inner
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        before = _LAST
        keep(amount)()
        return before
