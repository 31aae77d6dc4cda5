# stateful
"""missing_other_self"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = sum(1 for _ in BOOK["all"]._seen) if key < 0 else key
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
        self._seen: list = []
        BOOK["all"] = self
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._seen.append(amount)
        return self._ids[-amount]
BOOK: dict = {}
