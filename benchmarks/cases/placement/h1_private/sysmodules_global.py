# stateful
"""sysmodules_global"""
from graphbus_core import GraphBusNode, subscribe


import sys
_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _LAST
        _LAST = amount
        return _LAST
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return getattr(sys.modules[__name__], "LA" + "ST")
