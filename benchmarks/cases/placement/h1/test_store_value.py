# stateful
"""test_store_value"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> list:
        value = self._memo.get(amount)
        if value is None:
            value = [amount]
            if amount > 1:
                self._memo[amount] = value
        value.append(0)
        return list(value)
