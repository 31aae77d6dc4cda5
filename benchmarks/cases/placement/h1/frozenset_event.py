# stateful
"""frozenset_event"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._memo: dict = {}
    @subscribe("/In")
    def on_event(self, amount: str) -> list:
        words = [len(amount) * 0, 8] if amount == "a" else [8, 0]
        key = frozenset(words)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = tuple(key)
        return list(found)
