# stateful
"""room_raise"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount not in self._memo:
            if len(self._memo) > 2:
                raise OverflowError
            self._memo[amount] = amount * 2
        return self._memo[amount]
