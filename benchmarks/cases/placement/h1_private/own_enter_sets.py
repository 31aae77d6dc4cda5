# stateful
"""own_enter_sets"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
class Put:
    def __init__(self, s: str) -> None:
        self.s = s
    def __enter__(self) -> None:
        global _LAST
        if self.s.isdigit():
            _LAST = int(self.s)
    def __exit__(self, *a: object) -> bool:
        return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        with Put(amount):
            pass
        return _LAST
