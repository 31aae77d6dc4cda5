# stateful
"""split_five"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        x = self.a if amount % 2 else self.b
        y = self.a if amount % 3 else self.b
        x.clear()
        y.append(amount)
        return len(y)
