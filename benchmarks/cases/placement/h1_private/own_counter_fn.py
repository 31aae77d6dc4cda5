# stateful
"""own_counter_fn"""
from graphbus_core import GraphBusNode, subscribe


def Counter() -> dict:
    return {"a": 0}
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hits = Counter()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        if amount < 0:
            self._hits.clear()
            return "cleared"
        self._hits["a"] += 1
        return "ok"
