# stateful
"""split_try"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        buf = self.a
        try:
            buf = self.b if amount > "1" else self.a
            buf.clear()
            int(amount)
        except ValueError:
            buf = self.a
        buf.append(amount)
        return len(buf)
