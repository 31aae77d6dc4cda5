# stateful
"""mod_attr"""
from graphbus_core import GraphBusNode, subscribe


import json
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = len(vars(json))
        json.last_amount = amount
        return known
