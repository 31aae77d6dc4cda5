# stateful
"""missing_factor_anew"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    factor = 1
    def __missing__(self, key: int) -> int:
        self[key] = key * self.factor
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.ids.factor = amount
        return self.ids[1]
