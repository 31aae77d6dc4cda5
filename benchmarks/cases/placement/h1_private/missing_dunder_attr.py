# stateful
"""missing_dunder_attr"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key * 2
        return self[key]
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        return self._ids[amount] + len(self._ids.__reduce_ex__(2)[4].__reduce__()[1][0] and [*self._ids.__reduce_ex__(2)[4]])
