# stateful
"""obj_two_buffers"""
from graphbus_core import GraphBusNode, subscribe


class Buf:
    def __init__(self, name: str) -> None:
        self._rows: list = []
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a = Buf("a")
        self.b = Buf("b")
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a._rows.clear()
        self.b._rows.append(amount)
        return len(self.b._rows)
