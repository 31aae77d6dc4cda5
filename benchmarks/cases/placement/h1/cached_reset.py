# stateful
"""cached_reset"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
ROWS: tuple = ()
@lru_cache(maxsize=None)
def begin(n: int) -> None:
    global ROWS
    ROWS = ()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global ROWS
        begin(amount)
        ROWS = (*ROWS, amount)
        return len(ROWS)
