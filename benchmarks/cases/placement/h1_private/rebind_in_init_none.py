# stateful
"""rebind_in_init_none"""
from graphbus_core import GraphBusNode, subscribe


class Off:
    def append(self, n: int) -> None:
        raise RuntimeError("off")
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rows: object = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._rows.append(amount)
        if amount == 2:
            self._rows = Off()
        return amount
