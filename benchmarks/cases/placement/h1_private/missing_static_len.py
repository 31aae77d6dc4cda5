# stateful
"""missing_static_len"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    size = staticmethod(len)
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
        self.all = self._ids
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self._ids[amount] + self._ids.size(self.all)
