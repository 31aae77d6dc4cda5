# stateful
"""gen_not_run"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list = []
    def _begin(self):
        self.rows.clear()
        yield
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._begin()
        self.rows.append(amount)
        return len(self.rows)
