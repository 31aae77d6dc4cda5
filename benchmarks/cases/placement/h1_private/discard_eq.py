# stateful
"""discard_eq"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("same", self.n)
        return True
_KEYS: set = set()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _KEYS.add(Key(amount))
        return amount
