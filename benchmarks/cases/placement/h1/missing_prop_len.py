# stateful
"""missing_prop_len"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    @property
    def size(self) -> int:
        return len(self)
    def __missing__(self, key: int) -> int:
        self[key] = self.size
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[amount]
