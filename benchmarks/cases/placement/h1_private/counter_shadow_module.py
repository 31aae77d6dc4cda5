# stateful
"""counter_shadow_module"""
from graphbus_core import GraphBusNode, subscribe


class Counter:
    def __new__(cls) -> dict:
        return {"a": 0}
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hits = Counter()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        if amount < 0:
            self._hits.clear()
        else:
            self._hits["a"] += 1
        return amount
