# stateful
"""coro_not_awaited"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: tuple = ()
async def begin():
    global _ROWS
    _ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        begin().close()
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
