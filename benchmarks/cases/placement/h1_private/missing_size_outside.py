# stateful
"""missing_size_outside"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def size(self) -> int:
        return len(self)
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self._ids[amount] + self._ids.size()
