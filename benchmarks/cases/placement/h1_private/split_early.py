# stateful
"""split_early"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        buf = self.a if amount % 2 else self.b
        if amount > 2:
            buf.clear()
            buf.append(amount)
            return len(buf)
        buf.append(amount)
        return len(buf)
