# stateful
"""suppress_global"""
from graphbus_core import GraphBusNode, subscribe


from contextlib import suppress
_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global _LAST
        with suppress(ValueError):
            _LAST = int(amount)
        return _LAST
