# stateful
"""for_target_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST = ""
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global _LAST
        for _LAST in amount.strip("x"):
            pass
        return _LAST
