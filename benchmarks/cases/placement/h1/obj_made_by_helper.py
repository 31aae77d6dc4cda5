# stateful
"""obj_made_by_helper"""
from graphbus_core import GraphBusNode, subscribe


class Buf:
    def __init__(self) -> None:
        self.rows: tuple = ()
def make(n: int) -> Buf:
    return Buf()
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = map(make, range(2))
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.rows = ()
        self.b.rows = (*self.b.rows, amount)
        return len(self.b.rows)
