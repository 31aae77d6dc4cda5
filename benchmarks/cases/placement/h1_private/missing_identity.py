# stateful
"""missing_identity"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> object:
        self[key] = object()
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
        self.first = self._ids
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        fresh = not self.first
        self._ids[amount]
        return fresh
