# stateful
"""counter_neg"""
from graphbus_core import GraphBusNode, subscribe


_HITS: dict = {"a": 0}
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        try:
            _HITS["a"] += 1
            _HITS.clear()
        except KeyError:
            return "gone"
        return "ok"
