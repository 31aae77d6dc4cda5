# stateful
"""split_inner_fn"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        buf = self.a if amount % 2 else self.b
        def read() -> int:
            buf.append(amount)
            return len(buf)
        buf.clear()
        buf = self.b if amount % 2 else self.a
        return read()
