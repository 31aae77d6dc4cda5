# stateful
"""frozenset_order_memo"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        items = frozenset([0, 8] if amount == "a" else [8, 0])
        if items not in self._memo:
            self._memo[items] = ",".join(str(i) for i in items)
        return self._memo[items]
