# stateful
"""eq_raises_uncaught"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        if isinstance(other, Key) and other.n == self.n:
            raise ValueError("seen before")
        return False
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set = set()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.seen.add(Key(amount))
        return "once"
