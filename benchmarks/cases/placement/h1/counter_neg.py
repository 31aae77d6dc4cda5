# stateful
"""counter_neg"""
from graphbus_core import GraphBusNode, subscribe


HITS: dict = {"a": 0}
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        try:
            HITS["a"] += 1
            HITS.clear()
        except KeyError:
            return "gone"
        return "ok"
