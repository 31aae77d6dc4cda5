# stateful
"""map_zero_times"""
from graphbus_core import GraphBusNode, subscribe


ROWS: tuple = ()
def begin(_: int) -> None:
    global ROWS
    ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        list(map(begin, []))
        ROWS = (*ROWS, amount)
        return len(ROWS)
