# stateful
"""gen_not_run_global"""
from graphbus_core import GraphBusNode, subscribe


ROWS: tuple = ()
def begin():
    global ROWS
    ROWS = ()
    yield
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        begin()
        ROWS = (*ROWS, amount)
        return len(ROWS)
