# stateful
"""gen_half_run_global"""
from graphbus_core import GraphBusNode, subscribe


ROWS: tuple = ()
def begin():
    global ROWS
    yield 1
    ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        next(begin())
        ROWS = (*ROWS, amount)
        return len(ROWS)
