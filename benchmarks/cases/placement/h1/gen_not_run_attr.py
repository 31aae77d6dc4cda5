# stateful
"""gen_not_run_attr"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple = ()
    def _begin(self):
        self.rows = ()
        yield
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._begin()
        self.rows = (*self.rows, amount)
        return len(self.rows)
