# stateful
"""comp_empty"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: tuple = ()
def begin(n: int) -> int:
    global _ROWS
    _ROWS = ()
    return n
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        [begin(n) for n in range(amount - 9)]
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
