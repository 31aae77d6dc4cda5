# stateful
"""split_unread"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        rows = self.a if amount % 2 else self.b
        rows.append(amount)
        both = [self.a, self.b]
        return sum(len(r) for r in both)
