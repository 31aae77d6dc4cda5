# stateful
"""store_other_key"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        value = self._memo.get(amount)
        if value is None:
            value = amount * 10
            if amount > 1:
                self._memo[amount - 1] = value
        return value
