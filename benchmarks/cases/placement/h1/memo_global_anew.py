# stateful
"""memo_global_anew"""
from graphbus_core import GraphBusNode, subscribe


FACTOR = 1
MEMO: dict = {}
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FACTOR
        FACTOR = amount
        if "k" not in MEMO:
            MEMO["k"] = FACTOR * 2
        return MEMO["k"]
