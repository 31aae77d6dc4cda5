# stateful
"""cache_info"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
@lru_cache
def f(n: int) -> int:
    return n
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        f(amount)
        return f.cache_info().currsize
