# stateful
"""split_same_key_two"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._a: dict = {}
        self._b: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        memo = self._a if amount > 0 else self._b
        if amount not in memo:
            memo[amount] = str(amount)
        return memo[amount] + str(len(self._b))
