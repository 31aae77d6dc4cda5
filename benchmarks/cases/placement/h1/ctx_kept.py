# stateful
"""ctx_kept"""
from graphbus_core import GraphBusNode, subscribe


from contextlib import contextmanager
@contextmanager
def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.kept: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if not amount % 2:
            self.kept.clear()
        now = session(amount)
        n = now.__enter__()
        self.kept.append(now)
        return n
