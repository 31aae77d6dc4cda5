# stateful
"""lru_list_anew"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
ROWS: list = []
@lru_cache(maxsize=None)
def f(key: int) -> int:
    return key + len(ROWS) + sum(ROWS)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        ROWS.clear()
        ROWS.append(amount)
        return f(1)
