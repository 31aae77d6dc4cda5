# stateful
"""missing_classattr_get"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    look = dict.get
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        known = self._ids.look(amount)
        self._ids[amount]
        return known is None
