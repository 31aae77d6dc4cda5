# stateful
"""fglobals"""
from graphbus_core import GraphBusNode, subscribe


import inspect
_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _LAST
        _LAST = amount
        return _LAST
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return inspect.currentframe().f_globals["LA" + "ST"]
