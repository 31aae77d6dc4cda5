# stateful
"""lru_global_anew"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
FACTOR = 1
@lru_cache(maxsize=None)
def f(key: int) -> int:
    return key * FACTOR
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FACTOR
        FACTOR = amount
        return f(1)
