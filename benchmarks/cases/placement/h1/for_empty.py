# stateful
"""for_empty"""
from graphbus_core import GraphBusNode, subscribe


LAST = ""
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global LAST
        for c in amount.strip("x"):
            LAST = c
        return LAST
