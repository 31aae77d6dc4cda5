# stateful
"""room_then_len"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if len(self._memo) > 1:
            self._memo.clear()
            amount += 100
        if amount not in self._memo:
            self._memo[amount] = amount * 2
        return self._memo[amount]
