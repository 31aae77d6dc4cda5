# stateful
"""map_zero_times"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: tuple = ()
def begin(_: int) -> None:
    global _ROWS
    _ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        list(map(begin, []))
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
