# stateful
"""node_mode"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    @property
    def seen(self) -> bool:
        return bool(self.__dict__.get("_last"))
    @subscribe("/In")
    def on_event(self, amount: int) -> bool:
        before = self.seen
        self._last = amount
        return before
