# stateful
"""decimal_lru"""
from graphbus_core import GraphBusNode, subscribe


from functools import lru_cache
from decimal import Decimal
@lru_cache(maxsize=None)
def f(d: Decimal) -> str:
    return str(d)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return f(Decimal(amount))
