# stateful
"""own_swallow"""
from graphbus_core import GraphBusNode, subscribe


LAST = 0
class Swallow:
    def __enter__(self) -> None:
        return None
    def __exit__(self, *a: object) -> bool:
        return True
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global LAST
        with Swallow():
            LAST = int(amount)
        return LAST
