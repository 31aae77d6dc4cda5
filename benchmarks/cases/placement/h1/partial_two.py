# stateful
"""partial_two"""
from graphbus_core import GraphBusNode, subscribe


from functools import partial
def make() -> list:
    return []
new = partial(make)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = tuple(new() for _ in "ab")
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.a.clear()
        self.b.append(amount)
        return len(self.b)
