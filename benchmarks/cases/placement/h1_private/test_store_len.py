# stateful
"""test_store_len"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        hit = True
        value = self._memo.get(amount)
        if value is None:
            value = amount * 2
            if amount > 1:
                self._memo[amount] = value
                hit = False
        return hit
