# stateful
"""missing_in_missing"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    size = dict.__len__
    def __missing__(self, key: int) -> int:
        value = self[key] = self.size()
        return value
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[amount]
