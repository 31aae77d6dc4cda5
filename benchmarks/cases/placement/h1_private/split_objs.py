# stateful
"""split_objs"""
from graphbus_core import GraphBusNode, subscribe


class Buf:
    def __init__(self) -> None:
        self.items: tuple = ()
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a = Buf()
        self.b = Buf()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        buf = self.a if amount % 2 else self.b
        buf.items = ()
        buf = self.b if amount % 2 else self.a
        buf.items = (*buf.items, amount)
        return len(buf.items)
