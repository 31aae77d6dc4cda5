# stateful
"""rebind_type"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows: object = []
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        if amount == 2:
            self.rows = None
            return "off"
        self.rows.append(amount)
        return "on"
