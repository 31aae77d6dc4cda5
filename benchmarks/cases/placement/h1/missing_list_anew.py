# stateful
"""missing_list_anew"""
from graphbus_core import GraphBusNode, subscribe


ROWS: list = []
class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key + sum(ROWS)
        return self[key]
IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        ROWS.clear()
        ROWS.append(amount)
        return IDS[1]
