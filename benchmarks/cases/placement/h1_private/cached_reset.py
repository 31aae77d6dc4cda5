# stateful
"""cached_reset"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
_ROWS: tuple = ()
@lru_cache(maxsize=None)
def begin(n: int) -> None:
    global _ROWS
    _ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _ROWS
        begin(amount)
        _ROWS = (*_ROWS, amount)
        return len(_ROWS)
