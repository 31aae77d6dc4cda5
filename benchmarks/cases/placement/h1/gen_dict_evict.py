# stateful
"""gen_dict_evict"""
from graphbus_core import GraphBusNode, subscribe


def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.open: dict = {}
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        opened = session(amount)
        next(opened)
        self.open[amount] = opened
        return amount
