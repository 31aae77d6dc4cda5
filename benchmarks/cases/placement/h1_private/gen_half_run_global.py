# stateful
"""gen_half_run_global"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: tuple = ()
def begin():
    global _ROWS
    yield 1
    _ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        next(begin())
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
