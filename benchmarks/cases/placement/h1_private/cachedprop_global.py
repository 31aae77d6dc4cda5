# stateful
"""cachedprop_global"""
from graphbus_core import GraphBusNode, subscribe


from functools import cached_property
FACTOR = 1
class N(GraphBusNode):
    @cached_property
    def table(self) -> int:
        return FACTOR * 2
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FACTOR
        FACTOR = amount
        return self.table
