# stateful
"""eq_raises_on_dup"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return hash(self.n)
    def __eq__(self, other: object) -> bool:
        raise ValueError("seen before")
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen: set = set()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        try:
            self._seen.add(Key(amount))
        except ValueError:
            return "twice"
        return "once"
