# stateful
"""gen_append_evict"""
from graphbus_core import GraphBusNode, subscribe


from collections import deque
def session(n: int):
    try:
        yield n
    finally:
        print("closed", n)
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._open: deque = deque(maxlen=2)
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        opened = session(amount)
        next(opened)
        self._open.append(opened)
        return amount
