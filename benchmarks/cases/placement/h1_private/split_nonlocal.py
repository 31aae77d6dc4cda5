# stateful
"""split_nonlocal"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        buf = self.a if amount % 2 else self.b
        def swap() -> None:
            nonlocal buf
            buf = self.b if buf is self.a else self.a
        buf.clear()
        swap()
        buf.append(amount)
        return len(buf)
