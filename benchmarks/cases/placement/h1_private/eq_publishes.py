# stateful
"""eq_publishes"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen: set = set()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._seen.add(Key(amount, self))
        return "once"
class Key:
    def __init__(self, n: int, node: N) -> None:
        self.n = n
        self.node = node
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("twice", self.n)
        return False
