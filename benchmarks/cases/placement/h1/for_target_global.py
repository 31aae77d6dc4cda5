# stateful
"""for_target_global"""
from graphbus_core import GraphBusNode, subscribe


LAST = ""
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global LAST
        for LAST in amount.strip("x"):
            pass
        return LAST
