# stateful
"""gen_not_run_attr"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple = ()
    def _begin(self):
        self._rows = ()
        yield
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._begin()
        self._rows = (*self._rows, amount)
        return len(self._rows)
