# stateful
"""slot_set"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rows = [0]
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._rows.append(amount)
        self._rows[2] += 1
        return "long"
