# stateful
"""negzero_missing"""
from graphbus_core import GraphBusNode, subscribe


class Ids(dict):
    def __missing__(self, key: float) -> str:
        self[key] = str(key)
        return self[key]
IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return IDS[float(amount)]
