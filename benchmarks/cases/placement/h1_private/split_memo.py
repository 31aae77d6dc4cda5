# stateful
"""split_memo"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._a: dict = {}
        self._b: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        memo = self._a if amount % 2 else self._b
        if "k" not in memo:
            memo["k"] = amount * 2
        return memo["k"]
