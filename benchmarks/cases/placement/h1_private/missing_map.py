# stateful
"""missing_map"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: str) -> str:
        self[key] = key
        return key
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ids = Ids()
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._ids["k" + str(amount)]
        return "{0}".format(self._ids)
