# stateful
"""decimal_nan_set"""
from graphbus_core import GraphBusNode, subscribe


from decimal import Decimal
SEEN: set = set()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        SEEN.add(amount)
        return len(f"{SEEN!r}")
