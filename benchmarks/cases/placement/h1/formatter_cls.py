# stateful
"""formatter_cls"""
from graphbus_core import GraphBusNode, subscribe


import string
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self.total += amount
        return string.Formatter().format("{me.total}", me=self)
