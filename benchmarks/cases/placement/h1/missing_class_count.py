# stateful
"""missing_class_count"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    made = 0
    def __missing__(self, key: int) -> int:
        Ids.made += 1
        self[key] = key + Ids.made
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[amount]
