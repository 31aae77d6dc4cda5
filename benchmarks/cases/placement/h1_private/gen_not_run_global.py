# stateful
"""gen_not_run_global"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: tuple = ()
def begin():
    global _ROWS
    _ROWS = ()
    yield
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        begin()
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
