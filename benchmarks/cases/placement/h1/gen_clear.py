# stateful
"""gen_clear"""
from graphbus_core import GraphBusNode, subscribe


def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.open: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if not amount:
            self.open.clear()
            return 0
        opened = session(amount)
        next(opened)
        self.open.append(opened)
        return amount
