# stateful
"""rebind_type"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rows: object = []
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        if amount == 2:
            self._rows = None
            return "off"
        self._rows.append(amount)
        return "on"
