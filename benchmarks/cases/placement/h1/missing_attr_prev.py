# stateful
"""missing_attr_prev"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    last = 0
    def __missing__(self, key: int) -> int:
        self[key] = key + self.last
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        out = self.ids[amount]
        self.ids.last = amount
        return out
