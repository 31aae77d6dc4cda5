# stateful
"""nested_global"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
def keep(n: int):
    def inner() -> None:
        global LAST
        LAST = n
    return inner
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        before = LAST
        keep(amount)()
        return before
