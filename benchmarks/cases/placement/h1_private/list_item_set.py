# stateful
"""list_item_set"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rows = [0]
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._rows.append(amount)
        try:
            self._rows[3] = amount
        except IndexError:
            return "short"
        return "long"
