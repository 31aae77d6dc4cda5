# stateful
"""missing_locals"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        me = locals()["self"]
        self[key] = len(me)
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self.ids[amount]
