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
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        known = self.ids.look(amount)
        self.ids[amount]
        return known is None
