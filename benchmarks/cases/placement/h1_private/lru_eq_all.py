# stateful
"""lru_eq_all"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return 1
    def __eq__(self, other: object) -> bool:
        return True
@lru_cache(maxsize=None)
def f(key: Key) -> int:
    return key.n
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return f(Key(amount))
