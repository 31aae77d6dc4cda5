# stateful
"""missing_global_anew"""
from graphbus_core import GraphBusNode, subscribe


FACTOR = 1
class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key * FACTOR
        return self[key]
IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        global FACTOR
        FACTOR = amount
        return IDS[1]
