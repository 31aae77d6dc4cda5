# stateful
"""map_two_buffers"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = map(lambda _: [], range(2))
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.clear()
        self.b.append(amount)
        return len(self.b)
