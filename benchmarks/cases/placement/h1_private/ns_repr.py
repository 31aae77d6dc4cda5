# stateful
"""ns_repr"""
from graphbus_core import GraphBusNode, subscribe


from types import SimpleNamespace
STATE = SimpleNamespace(total=0)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        STATE._total += amount
        return repr(STATE)
