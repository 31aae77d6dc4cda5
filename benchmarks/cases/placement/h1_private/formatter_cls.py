# stateful
"""formatter_cls"""
from graphbus_core import GraphBusNode, subscribe


import string
class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._total = 0
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        self._total += amount
        return string.Formatter().format("{me._total}", me=self)
