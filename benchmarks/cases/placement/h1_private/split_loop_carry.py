# stateful
"""split_loop_carry"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a: list = []
        self.b: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _last: list = []
        for n in range(amount % 2 + 1):
            buf = self.a if (amount + n) % 2 else self.b
            if n == 0:
                buf.clear()
            buf.append(n)
            _last = buf
        return len(last)
