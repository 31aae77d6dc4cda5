# stateful
"""cond_store2"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        value = self._memo.get(amount)
        if value is None:
            value = str(amount)
            if len(self._memo) < 2:
                self._memo[amount] = value
            else:
                value = "full"
        return value
