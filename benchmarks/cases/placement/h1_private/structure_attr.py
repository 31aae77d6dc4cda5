# stateful
"""structure_attr"""
from graphbus_core import GraphBusNode, subscribe


import ctypes
class P(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int)]
POINT = P()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> bytes:
        before = bytes(POINT)
        POINT.x = amount
        return before
