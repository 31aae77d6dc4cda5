# stateful
"""missing_value_mutable"""
from graphbus_core import GraphBusNode, subscribe


class Box:
    def __init__(self) -> None:
        self.n = 0
class Ids(dict):
    def __missing__(self, key: int) -> Box:
        box = self[key] = Box()
        return box
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        box = self._ids[amount]
        box.n += 1
        return self._ids[amount].n
