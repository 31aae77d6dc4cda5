# stateful
"""eval_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global _LAST
        _LAST = amount
        return _LAST
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return eval("_LAST + 0")
