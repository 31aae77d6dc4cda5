# stateful
"""except_as_global"""
from graphbus_core import GraphBusNode, subscribe


_LAST: object = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global _LAST
        try:
            int(amount)
        except ValueError as _LAST:
            pass
        try:
            return str(_LAST)
        except NameError:
            return "none"
