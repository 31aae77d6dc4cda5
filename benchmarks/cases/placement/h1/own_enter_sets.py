# stateful
"""own_enter_sets"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
class Put:
    def __init__(self, s: str) -> None:
        self.s = s
    def __enter__(self) -> None:
        global LAST
        if self.s.isdigit():
            LAST = int(self.s)
    def __exit__(self, *a: object) -> bool:
        return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        with Put(amount):
            pass
        return LAST
