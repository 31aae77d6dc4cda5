# stateful
"""lru_list_anew"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
_ROWS: list = []
@lru_cache(maxsize=None)
def f(key: int) -> int:
    return key + len(_ROWS) + sum(_ROWS)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        _ROWS.clear()
        _ROWS.append(amount)
        return f(1)
