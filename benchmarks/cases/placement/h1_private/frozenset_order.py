# stateful
"""frozenset_order"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
@lru_cache(maxsize=None)
def spell(items: frozenset) -> str:
    return ",".join(str(i) for i in items)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return spell(frozenset([0, 8] if amount == "a" else [8, 0]))
