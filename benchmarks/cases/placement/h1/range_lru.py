# stateful
"""range_lru"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
@lru_cache(maxsize=None)
def f(r: range) -> int:
    return r.stop
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return f(range(0, amount, 2))
