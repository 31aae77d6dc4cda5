# stateful
"""env"""
from graphbus_core import GraphBusNode, subscribe


import os
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = len(os.environ)
        os.environ["K" + str(amount)] = "1"
        return known
