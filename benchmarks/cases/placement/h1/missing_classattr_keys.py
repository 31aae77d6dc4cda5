# stateful
"""missing_classattr_keys"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    first = dict.keys
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> list:
        self.ids[amount]
        return list(self.ids.first())
