# stateful
"""missing_list_anew"""
from graphbus_core import GraphBusNode, subscribe


_ROWS: list = []
class Ids(dict):
    def __missing__(self, key: int) -> int:
        self[key] = key + sum(_ROWS)
        return self[key]
_IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _ROWS.clear()
        _ROWS.append(amount)
        return _IDS[1]
