# stateful
"""map_lazy"""
from graphbus_core import GraphBusNode, subscribe


ROWS: tuple = ()
def begin(n: int) -> int:
    global ROWS
    ROWS = ()
    return n
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        map(begin, [1])
        ROWS = (*ROWS, amount)
        return len(ROWS)
