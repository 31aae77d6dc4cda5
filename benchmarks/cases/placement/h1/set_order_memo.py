# stateful
"""set_order_memo"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
@lru_cache(maxsize=None)
def first(items: frozenset) -> int:
    return next(iter(items))
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        return first(frozenset([0, 8] if amount == "a" else [8, 0]))
