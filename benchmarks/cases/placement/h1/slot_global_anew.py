# stateful
"""slot_global_anew"""
from graphbus_core import GraphBusNode, subscribe


FACTOR = 1
TABLE = None
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FACTOR, TABLE
        FACTOR = amount
        if TABLE is None:
            TABLE = FACTOR * 2
        return TABLE
