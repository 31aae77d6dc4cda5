# stateful
"""list_item_set"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows = [0]
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.rows.append(amount)
        try:
            self.rows[3] = amount
        except IndexError:
            return "short"
        return "long"
