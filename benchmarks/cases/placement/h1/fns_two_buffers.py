# stateful
"""fns_two_buffers"""
from graphbus_core import GraphBusNode, subscribe


def make() -> list:
    return []
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = [f() for f in (make, make)]
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.clear()
        self.b.append(amount)
        return len(self.b)
