# stateful
"""suppress_global"""
from graphbus_core import GraphBusNode, subscribe


from contextlib import suppress
LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global LAST
        with suppress(ValueError):
            LAST = int(amount)
        return LAST
