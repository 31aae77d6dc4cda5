# stateful
"""counter_eq"""
from graphbus_core import GraphBusNode, subscribe


from collections import Counter
class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        raise KeyError(self.n)
_HITS = Counter()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _HITS[Key(amount)] += 1
        return amount
