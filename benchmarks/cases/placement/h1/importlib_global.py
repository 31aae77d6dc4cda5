# stateful
"""importlib_global"""
from graphbus_core import GraphBusNode, subscribe


import importlib
LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global LAST
        LAST = amount
        return LAST
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return vars(importlib.import_module(__name__))["LA" + "ST"]
