# stateful
"""decimal_missing"""
from graphbus_core import GraphBusNode, subscribe


from decimal import Decimal
class Ids(dict):
    def __missing__(self, key: Decimal) -> str:
        self[key] = str(key)
        return self[key]
IDS = Ids()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: str) -> str:
        return IDS[Decimal(amount)]
