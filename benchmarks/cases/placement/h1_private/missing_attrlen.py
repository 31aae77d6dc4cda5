# stateful
"""missing_attrlen"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = self.__len__()
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self._ids[amount]
