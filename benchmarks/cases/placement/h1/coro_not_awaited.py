# stateful
"""coro_not_awaited"""
from graphbus_core import GraphBusNode, subscribe


ROWS: tuple = ()
async def begin():
    global ROWS
    ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        begin().close()
        ROWS = (*ROWS, amount)
        return len(ROWS)
