# stateful
"""gen_finally_prints"""
from graphbus_core import GraphBusNode, subscribe


def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.session = None
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        opened = session(amount)
        next(opened)
        self.session = opened
        return amount
