# stateful
"""encoder_attr"""
from graphbus_core import GraphBusNode, subscribe


import json
class E(json.JSONEncoder):
    pass
ENC = E()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        before = ENC.encode([1, 2])
        ENC.item_separator = "," * amount
        return before
