# stateful
"""sorted_zero_times"""
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
        sorted([], key=begin)
        ROWS = (*ROWS, amount)
        return len(ROWS)
