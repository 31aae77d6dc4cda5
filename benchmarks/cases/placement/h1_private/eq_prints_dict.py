# stateful
"""eq_prints_dict"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("twice", self.n)
        return True
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._seen[Key(amount)] = amount
        return "once"
