# stateful
"""memo_eq_prints"""
from graphbus_core import GraphBusNode, subscribe


class Key:
    def __init__(self, n: int) -> None:
        self.n = n
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("asked", self.n)
        return True
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        key = Key(amount)
        if key not in self._memo:
            self._memo[key] = 1
        return self._memo[key]
