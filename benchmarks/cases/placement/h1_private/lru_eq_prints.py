# stateful
"""lru_eq_prints"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("asked", self.n)
        return True
@lru_cache(maxsize=None)
def f(key: Key) -> int:
    return 1
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return f(Key(amount))
