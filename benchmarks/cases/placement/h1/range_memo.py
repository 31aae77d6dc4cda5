# stateful
"""range_memo"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        key = range(0, amount, 2)
        if key not in self._memo:
            self._memo[key] = f"{key}"
        return self._memo[key]
