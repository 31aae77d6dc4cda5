# stateful
"""split_memo_factor"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._a: dict = {}
        self._b: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        memo, k = (self._a, 2) if amount % 2 else (self._b, 3)
        value = memo.get("k")
        if value is None:
            value = memo["k"] = k * amount
        return value
