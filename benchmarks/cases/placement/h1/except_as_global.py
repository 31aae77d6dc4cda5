# stateful
"""except_as_global"""
from graphbus_core import GraphBusNode, subscribe


LAST: object = 0
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        global LAST
        try:
            int(amount)
        except ValueError as LAST:
            pass
        try:
            return str(LAST)
        except NameError:
            return "none"
