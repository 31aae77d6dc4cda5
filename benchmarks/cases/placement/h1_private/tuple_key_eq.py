# stateful
"""tuple_key_eq"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        raise ValueError(self.n)
_SEEN: dict = {}
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _SEEN[(Key(amount), "x")] = 1
        return amount
