# stateful
"""obj_two_buffers"""
from graphbus_core import GraphBusNode, subscribe


class Buf:
    def __init__(self, name: str) -> None:
        self.rows: list = []
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a = Buf("a")
        self.b = Buf("b")
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.rows.clear()
        self.b.rows.append(amount)
        return len(self.b.rows)
