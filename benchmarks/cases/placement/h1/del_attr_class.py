# stateful
"""del_attr_class"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    mark = 7
    def __init__(self) -> None:
        super().__init__()
        self.mark = 1
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        n = self.mark
        self.mark = n
        del self.mark
        return n
