# stateful
"""gen_close_attr"""
from graphbus_core import GraphBusNode, subscribe


def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.kept: object = None
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        opened = session(amount)
        print(next(opened))
        self.kept = opened
        return amount
