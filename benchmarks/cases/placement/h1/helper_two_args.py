# stateful
"""helper_two_args"""
from graphbus_core import GraphBusNode, subscribe


def make(start: list) -> list:
    return [*start]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a = make([])
        self.b = make(())
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.clear()
        self.b.append(amount)
        return len(self.b)
