# stateful
"""set_unhash_second"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __eq__(self, other: object) -> bool:
        return len(self.n) == other.n
    def __hash__(self) -> int:
        return 1
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._seen[Key(amount)] = True
        return amount
