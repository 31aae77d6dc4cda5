# stateful
"""del_attr_class2"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    mark = 7
    def __init__(self) -> None:
        super().__init__()
        self.mark = 1
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self.mark = amount
        del self.mark
        return amount
    @subscribe("/Ask")
    def on_ask(self, amount: int) -> int:
        return self.mark
