# stateful
"""refcount"""
from graphbus_core import GraphBusNode, subscribe


import sys
class Thing:
    pass
THING = Thing()
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._kept: list = []
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._kept.append(THING)
        return sys.getrefcount(THING)
