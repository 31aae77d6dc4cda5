# stateful
"""decimal_ctx"""
from graphbus_core import GraphBusNode, subscribe


import decimal
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        said = str(decimal.Decimal(1) / 3)
        decimal.getcontext().prec = amount + 3
        return said
