# stateful
"""dictitems_memo"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
@lru_cache(maxsize=None)
def first(items: frozenset) -> str:
    return ",".join(k for k, v in items)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        d = {k: 1 for k in (range(0, 9, 8) if amount == "a" else range(8, -1, -8))}
        return order(frozenset(d.keys()))
@lru_cache(maxsize=None)
def order(keys: frozenset) -> str:
    return str(list(keys))
