# stateful
"""simple_ns_sub"""
from graphbus_core import GraphBusNode, subscribe


from types import SimpleNamespace
class S(SimpleNamespace):
    pass
STATE = S()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        before = S() == STATE
        STATE._last = amount
        return before
