# stateful
"""dc_compare_false_lru"""
from graphbus_core import GraphBusNode, subscribe


from dataclasses import dataclass, field
from functools import lru_cache
@dataclass(frozen=True)
class Key:
    a: int
    b: int = field(compare=False, default=0)
@lru_cache(maxsize=None)
def f(key: Key) -> int:
    return key.b
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return f(Key(1, amount))
