# stateful
"""weakref_alive"""
from graphbus_core import GraphBusNode, subscribe


import weakref
class Thing:
    pass
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._kept = None
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        thing = Thing()
        weakref.finalize(thing, print, "gone", amount)
        self._kept = thing
        return amount
