# stateful
"""own_swallow"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
class Swallow:
    def __enter__(self) -> None:
        return None
    def __exit__(self, *a: object) -> bool:
        return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global _LAST
        with Swallow():
            _LAST = int(amount)
        return _LAST
