# stateful
"""inherited_static"""
from graphbus_core import GraphBusNode, subscribe


from inspect import getattr_static
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.total_a = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.total_a += amount
        return getattr_static(self, "total_" + "a")
