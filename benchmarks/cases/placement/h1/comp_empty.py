# stateful
"""comp_empty"""
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
        [begin(n) for n in range(amount - 9)]
        ROWS = (*ROWS, amount)
        return len(ROWS)
