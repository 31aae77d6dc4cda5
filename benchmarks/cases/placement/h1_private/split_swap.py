# stateful
"""split_swap"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        buf = self.a if amount % 2 else self.b
        buf.clear()
        rest = [self.a, self.b]
        rest.remove(buf) if False else None
        rest[amount % 2].append(amount)
        return len(rest[amount % 2])
