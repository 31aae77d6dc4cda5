# stateful
"""for_empty"""
from graphbus_core import GraphBusNode, subscribe


_LAST = ""
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global _LAST
        for c in amount.strip("x"):
            _LAST = c
        return _LAST
