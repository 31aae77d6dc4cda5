# stateful
"""try_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> int:
        global _LAST
        try:
            _LAST = int(amount)
        except ValueError:
            pass
        return _LAST
