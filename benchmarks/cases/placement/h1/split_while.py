# stateful
"""split_while"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        n = 0
        for turn in range(2):
            buf = self.a if turn else self.b
            if turn == 0:
                buf.clear()
                continue
            buf.append(amount)
            n += len(buf)
        return n
