# stateful
"""cond_store"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        key = "k"
        value = self._memo.get(key)
        if value is None:
            value = amount
            if amount:
                self._memo[key] = value
        return value
