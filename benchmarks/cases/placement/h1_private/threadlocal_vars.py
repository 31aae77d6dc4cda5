# stateful
"""threadlocal_vars"""
from graphbus_core import GraphBusNode, subscribe


import threading
class Local(threading.local):
    pass
LOCAL = Local()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        known = len(LOCAL.__dict__)
        LOCAL._last = amount
        return known
