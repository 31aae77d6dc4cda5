# stateful
"""update_wrapper"""
from graphbus_core import GraphBusNode, subscribe


import functools
def price(n: int) -> int:
    return n
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        def inner() -> int:
            return 1
        functools.update_wrapper(inner, price)
        price._last = amount
        return len(vars(inner))
